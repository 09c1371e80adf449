// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel
internal import TintypeSystem

/// Simulated faults, from `--pattern` and from the file of faults.
extension PatternDevice {
    func simulateCall(_ call: DriverCalls.Call) throws(DeviceError) {
        hangIfAsked(at: call)
        guard let failure = faults.failures.first(where: { $0.call == call && stream.handedOut >= $0.after }) else {
            return
        }
        throw call == .streamOn
            ? .streamOn(identity, input: identity.card, errno: failure.errno)
            : DeviceError(operation: call.name, path: identity.path, errno: failure.errno)
    }

    /// Simulates, once per open device, an ioctl sleeping uninterruptibly, visible only in the call record.
    func hangIfAsked(at call: DriverCalls.Call) {
        guard faults.hangAfter != nil || faults.hangAt != nil, !hasHung, call == faults.hangAt ?? .dequeue,
            stream.handedOut >= faults.hangAfter ?? 0
        else { return }
        hasHung = true
        calls.during(call) { calls.clock.block(for: faults.hang) }
    }

    /// True for `percent` of a hundred frames, evenly spread.
    func isHit(_ percent: Int) -> Bool { stream.handedOut * percent / 100 != (stream.handedOut - 1) * percent / 100 }

    /// The first frame cannot repeat a number and is flagged instead.
    func damage(to number: UInt64) -> PatternDamage? {
        let damage = faults.damage?.damage(to: number, isJPEG: picture.pixelFormat.isJPEG)
        return damage == .repeated && !clock.hasNumbers ? .flagged : damage
    }

    /// With `wrap-timestamp` wraps to zero at the twentieth frame, like a 32-bit count of seconds.
    func stampTime(_ time: MonotonicTime) -> MonotonicTime {
        guard faults.wrapsTime else { return time }
        let wrap: Int64 = 1 << 31 * 1_000_000_000
        let shown = (time - stream.start).nanosecondCount - 20 * stream.period.nanosecondCount
        return MonotonicTime(nanoseconds: (shown + wrap) % wrap)
    }

    /// With `wrap-sequence` wraps to zero at the twentieth frame.
    var sequence: UInt32 { UInt32(truncatingIfNeeded: stream.number) &- (faults.wrapsSequence ? 20 : 0) }

    /// Overwrites all buffers on lease, as v4l2loopback's writers do.
    func overwriteLentBuffers(of pool: BufferPool) {
        guard stream.overwritesLent else { return }
        for index in 0..<pool.count where !stream.free.contains(index) {
            zero(0..<pool.length(index), of: index, pool)
        }
    }

    func zero(_ range: Range<Int>, of index: Int, _ pool: BufferPool) {
        pool.withMutableBytes(index) { bytes in
            for offset in range { bytes.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
        }
    }

    /// Replaces the timer's descriptor by a pipe without a reader, for which poll(2) always reports an error.
    func breakPolling() {
        guard let after = faults.pollErrorAfter, stream.handedOut >= after else { return }
        var pair: [CInt] = [-1, -1]
        guard unsafe pipe(&pair) == 0 else { return }
        close(pair[0])
        dup2(pair[1], timer.descriptor)
        close(pair[1])
    }

    /// Adds the faults of a file, if configured, to those of `--pattern`; an invalid one makes the device fail.
    func refreshFaults() throws(DeviceError) {
        guard let path = spec.faults.file else { return }
        let text = DeviceFolders.machine.lines(path)?.first ?? ""
        guard text != fileText else { return }
        fileText = text
        var present = spec
        do throws(PatternSpecError) {
            if !text.isEmpty { try present.readOptions(text) }
        } catch {
            throw unsupported(error.description)
        }
        var others = present
        others.faults = spec.faults
        guard others == spec else {
            throw unsupported(
                "the file \(path) holds an option that is none of the frames and calls: give those of "
                    + "controls, formats, inputs and changes to the pattern itself."
            )
        }
        faults = present.faults
    }
}
