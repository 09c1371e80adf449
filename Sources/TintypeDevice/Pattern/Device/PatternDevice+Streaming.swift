// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel
internal import TintypeSystem

extension PatternDevice {
    package func start() throws(DeviceError) -> Int {
        guard let interval = picture.interval else { throw unsupported("a pattern needs a rate.") }
        try simulateCall(.requestBuffers)
        try simulateCall(.map)
        let pool = try makePool()
        stream = PatternStream(pool: pool, free: Array(0..<pool.count), overwritesLent: faults.overwrites)
        try simulateCall(.queue)
        if spec.controlFaults.forgets { patternControls.resetToDefaults() }
        stream.period = max(interval.duration * faults.slowness, faults.exposure ?? .zero)
        stream.painter = painter(patternControls.look)
        stream.noise = faults.noise.map(PatternNoise.init)
        clock.reset(interval: interval.duration)
        try simulateCall(.streamOn)
        stream.start = calls.clock.now
        timer.set(stream.start + stream.period, every: stream.period)
        return pool.count
    }

    package func stop() {
        guard stream.pool != nil else { return }
        hangIfAsked(at: .streamOff)
        timer.stop()
        stream.pool = nil
        stream.painter = nil
    }

    package func reclaim() throws(DeviceError) {
        guard let pool = stream.pool else { return }
        try pool.drainReturned { (index) throws(DeviceError) in
            try simulateCall(.queue)
            stream.free.append(index)
        }
    }

    package func dequeue() throws(DeviceError) -> Drain {
        var drain = Drain()
        try reclaim()
        let expirations = timer.expirations()
        guard let pool = stream.pool, expirations > 0 else { return drain }
        // Frames are also counted while stalled.
        stream.number += expirations
        try refreshFaults()
        try simulateCall(.dequeue)
        breakPolling()
        if let limit = faults.stallAfter, stream.handedOut >= limit { return drain }
        if calls.clock.now < stream.start + faults.lateness { return drain }
        if let change = spec.change, !sourceChange.isRaised, stream.handedOut >= change.after {
            sourceChange.raise()
            pendingEvents.append(.sourceChanged)
            drain.hasEvents = true
            return drain
        }
        // A late reader gets the newest frame; the previous ones are a gap in the sequence.
        drain.gaps = Int(expirations) - 1
        stream.handedOut += 1
        changeControlsByOthers()
        drain.hasEvents = !pendingEvents.isEmpty
        guard !isHit(faults.dropPercent) else {
            drain.gaps += 1
            return drain
        }
        overwriteLentBuffers(of: pool)
        guard let index = stream.free.popLast() else {
            drain.gaps += 1
            return drain
        }
        drain.taken = 1
        try fill(index, of: pool, into: &drain)
        clock.sawEmptyQueue()
        return drain
    }

    private func fill(_ index: Int, of pool: BufferPool, into drain: inout Drain) throws(DeviceError) {
        let arrival = stream.start + .nanoseconds(stream.period.nanosecondCount * Int64(stream.number))
        let exposureStart = arrival - faults.lead
        let number = UInt32(truncatingIfNeeded: stream.number)
        let code = PatternCode(number: number, microseconds: UInt64(exposureStart.nanoseconds / 1000))
        let damage = damage(to: stream.number)
        var used = try paint(code, index, pool, damage)
        var stamp = clock.stamp(
            sequence: damage == .repeated ? stream.lastSequence ?? sequence : sequence,
            time: stampTime(faults.stampsEndOfFrame ? exposureStart + stream.period : arrival),
            flags: flags,
            now: calls.clock.now
        )
        stream.lastSequence = stamp.sequence
        let isFlagged =
            isDue(faults.flagEvery) || isHit(faults.flagPercent) || stream.handedOut > faults.flagAfter ?? .max
        if isFlagged || damage == .flagged { stamp.faults.append(.flagged) }
        if isDue(faults.shortEvery) || damage == .short {
            stamp.faults.append(.short)
            used = picture.pixelFormat.isJPEG ? min(used, 100) : used / 2
        }
        if isDue(faults.cutEvery), picture.pixelFormat.isJPEG { used = used * 2 / 3 }
        if isDue(faults.overwriteEvery) {
            // In advance, as if it were overwritten while being copied.
            zero(used / 2..<used, of: index, pool)
            stream.overwritten = stamp.ordinal
        }
        drain.add(FrameLease(stamp: stamp, pool: pool, index: index, used: used))
    }

    private var flags: UInt32 {
        guard !faults.isUndated else { return UInt32(V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN) }
        let source = faults.stampsEndOfFrame ? V4L2_BUF_FLAG_TSTAMP_SRC_EOF : V4L2_BUF_FLAG_TSTAMP_SRC_SOE
        return UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) | UInt32(source)
    }

    private func isDue(_ every: Int?) -> Bool { every.map { stream.handedOut % $0 == 0 } ?? false }

    /// Draws a frame; returns its length in bytes.
    private func paint(
        _ code: PatternCode,
        _ index: Int,
        _ pool: BufferPool,
        _ damage: PatternDamage?
    ) throws(DeviceError) -> Int {
        followControls()
        guard let painter = stream.painter else { return 0 }
        guard part != nil || picture.pixelFormat.isJPEG else {
            pool.withMutableBytes(index) { draw(code, painter, into: &$0) }
            return canvas.byteCount ?? 0
        }
        var pixels = [UInt8](repeating: 0, count: canvas.byteCount ?? 0)
        unsafe pixels.withUnsafeMutableBytes { bytes in
            var bytes = unsafe bytes.mutableBytes
            draw(code, painter, into: &bytes)
        }
        let frame: [UInt8]
        if let part { frame = cropped(pixels, to: part) } else { frame = try compressed(pixels, damage) }
        let used = min(frame.count, pool.length(index))
        pool.withMutableBytes(index) { target in
            for offset in 0..<used { target.storeBytes(of: frame[offset], toByteOffset: offset, as: UInt8.self) }
        }
        return used
    }

    private func cropped(_ pixels: [UInt8], to part: CropRectangle) -> [UInt8] {
        let depth = canvas.pixelFormat == .yuyv ? 2 : 1
        return (part.top..<part.top + part.size.height).flatMap { row in
            let start = row * canvas.bytesPerRow + part.left * depth
            return pixels[start..<start + part.size.width * depth]
        }
    }

    private func compressed(_ pixels: [UInt8], _ damage: PatternDamage?) throws(DeviceError) -> [UInt8] {
        var jpeg: [UInt8]
        do {
            jpeg = try unsafe encoder?(pixels.span.bytes, canvas) ?? []
        } catch {
            throw unsupported("the pattern cannot be encoded: \(error).")
        }
        // Many webcams omit the Huffman tables (DHT).
        if faults.hasNoHuffmanTables { jpeg = PatternDamage.without(0xC4, jpeg) }
        if let quirk = faults.quirk { jpeg = PatternDamage.with(quirk, jpeg) }
        if let damage { jpeg = damage.applied(to: jpeg, throw: stream.number) ?? jpeg }
        return jpeg + [UInt8](repeating: 0, count: faults.padding)
    }

    private func draw(_ code: PatternCode, _ painter: PatternPainter, into picture: inout MutableRawSpan) {
        if faults.isDark || stream.handedOut <= faults.blackFrames {
            painter.paint(PatternPainter.black, into: &picture)
        } else if faults.isUniform {
            painter.paint(PatternPainter.grey, into: &picture)
        } else {
            let start = MonotonicTime(nanoseconds: Int64(code.microseconds) * 1000)
            let isThere = spec.moves.map { Self.isBlockThere(at: start, DeviceFolders.machine.lines($0) ?? []) } ?? true
            let wall = calls.clock.wall(at: start)
            painter.paint(faults.isFrozen ? nil : code, at: wall, withBlock: isThere, into: &picture)
        }
        stream.noise?.add(to: &picture, canvas)
    }

    private func makePool() throws(DeviceError) -> BufferPool {
        let raw = max(canvas.byteCount ?? 0, 4096)
        let length = picture.pixelFormat.isJPEG ? raw + 65_536 + faults.padding : raw
        var buffers: [UnsafeMutableRawBufferPointer] = unsafe []
        for _ in 0..<faults.buffers {
            let start = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let start = unsafe start, unsafe start != MAP_FAILED else {
                let code = errno
                _ = unsafe BufferPool(buffers)
                throw .system(operation: "mmap", path: identity.path, errno: code)
            }
            unsafe buffers.append(UnsafeMutableRawBufferPointer(start: start, count: length))
        }
        return unsafe BufferPool(buffers)
    }

    /// `changes` has a time of `CLOCK_MONOTONIC` in nanoseconds a line; each toggles the block, hidden at first.
    private static func isBlockThere(at moment: MonotonicTime, _ changes: [String]) -> Bool {
        changes.count { Int64($0).map { $0 <= moment.nanoseconds } ?? false } % 2 == 1
    }
}
