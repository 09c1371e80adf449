// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension V4L2Device {
    /// `VIDIOC_REQBUFS`, `VIDIOC_QUERYBUF`, `VIDIOC_QBUF` and `VIDIOC_STREAMON`.
    package func start() throws(DeviceError) -> Int {
        guard let granted else { preconditionFailure("start() before configure()") }
        let count = try requestBuffers(UInt32(wantedBuffers))
        guard count > 0 else { throw .system(operation: "VIDIOC_REQBUFS", path: node.path, errno: ENOMEM) }
        try checkFormat()
        let pool = try map(count)
        self.pool = pool
        clock.reset(interval: granted.format.interval?.duration)
        lastSequence = nil
        for index in 0..<count { try queue(index) }
        var type = CInt(bitPattern: bufferType.rawValue)
        let code = node.attempt(.streamOn, CV4L2_STREAMON, &type)
        guard code == 0 else {
            // The signal may have been lost since the input was selected.
            if let fault = signalFault { throw noSignal(fault) }
            throw .streamOn(identity, input: inputName ?? identity.card, errno: code)
        }
        return count
    }

    /// `VIDIOC_STREAMOFF`; outstanding leases keep their bytes, in memory independent of the driver.
    ///
    /// Ignores errors, as the descriptor is closed next.
    package func stop() {
        guard pool != nil else { return }
        var type = CInt(bitPattern: bufferType.rawValue)
        _ = node.attempt(.streamOff, CV4L2_STREAMOFF, &type)
        node.calls.during(.unmap) {
            if !isKnownUniquelyReferenced(&pool) { pool?.leaveDriver() }
            pool = nil
        }
        _ = try? requestBuffers(0)
    }

    /// `VIDIOC_DQBUF`, called until it returns EAGAIN.
    package func dequeue() throws(DeviceError) -> Drain {
        var drain = Drain()
        try reclaim()
        guard let pool, let granted else { return drain }
        while let buffer = try next() {
            guard buffer.index < pool.count else {
                // The driver returned a buffer index it was never given; nothing else from it can be trusted.
                throw .system(operation: "VIDIOC_DQBUF", path: node.path, errno: EBADF)
            }
            // Skip bottom fields: alternating fields would make pictures jump by half a row.
            if granted.layout.fields == .alternating, buffer.field == V4L2_FIELD_BOTTOM.rawValue {
                pool.returnBuffer(buffer.index)
                continue
            }
            drain.taken += 1
            drain.gaps += gap(before: buffer.sequence)
            let now = node.calls.clock.now
            var stamp = clock.stamp(sequence: buffer.sequence, time: buffer.time, flags: buffer.flags, now: now)
            if buffer.used < (granted.layout.byteCount ?? Self.smallestJPEG) { stamp.faults.append(.short) }
            let length = pool.length(buffer.index)
            let offset = min(buffer.offset, length)
            let used = min(buffer.used, length - offset)
            var lease = FrameLease(stamp: stamp, pool: pool, index: buffer.index, offset: offset, used: used)
            if overwritesLentBuffers { lease.mark = mark(of: buffer.index) }
            drain.add(lease)
        }
        clock.sawEmptyQueue()
        try reclaim()
        return drain
    }

    package func reclaim() throws(DeviceError) {
        guard let pool else { return }
        try pool.drainReturned { (index) throws(DeviceError) in try queue(index) }
    }

    /// JPEG headers alone are longer.
    private static let smallestJPEG = 125

    private func gap(before sequence: UInt32) -> Int {
        defer { lastSequence = sequence }
        guard let lastSequence else { return 0 }
        let step = sequence &- lastSequence
        // A step backwards or a huge one is a restarted counter, not billions of lost frames.
        return step > 1 && step < 1 << 16 ? Int(step - 1) : 0
    }

    /// v4l2loopback's writers cycle through all buffers, whether or not a reader holds one.
    ///
    /// Up to version 0.13.2, those that write by mmap fill a single buffer over and over, according to its source. With
    /// them only frames completed in the meantime are detected.
    package var overwritesLentBuffers: Bool { identity.driver == "v4l2 loopback" }

    /// `VIDIOC_QUERYBUF`: for the buffer itself, then for others, until one is found that would be filled first.
    package func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool {
        guard overwritesLentBuffers else { return false }
        guard let pool, let mark = lease.mark else { return true }
        return mark.mayBeOverwritten(at: lease.index, of: pool.count, present: { self.mark(of: $0) })
    }

    /// Nil if the query fails.
    ///
    /// May differ from that of `VIDIOC_DQBUF`: v4l2loopback after 0.13.2 returns zeros here for a buffer filled before
    /// `VIDIOC_REQBUFS`, and hands it out nevertheless.
    func mark(of index: Int) -> BufferMark? {
        let (code, mark) = unsafe withBuffer { (buffer, _) -> (CInt, BufferMark) in
            unsafe buffer.index = UInt32(index)
            let code = unsafe node.attempt(.queryBuffer, CV4L2_QUERYBUF, &buffer)
            return unsafe (code, BufferMark(sequence: buffer.sequence, time: MonotonicTime(buffer.timestamp)))
        }
        return code == 0 ? mark : nil
    }
}

/// `sequence` and `timestamp` of `VIDIOC_QUERYBUF`, which tell one filling of a buffer from the next.
///
/// Both may be zero for a buffer not filled since `VIDIOC_REQBUFS`.
struct BufferMark: Hashable, Sendable {
    let sequence: UInt32
    let time: MonotonicTime

    /// True if a writer that fills all buffers in turn, and marks each when it is full, may have begun this one.
    ///
    /// That is so if the mark has changed, or if all other buffers are newer, as this one is next then. A frame still
    /// being written is not detected if the writer has one buffer only, or gives all frames the same time. `present` is
    /// the current mark of a buffer; nil if the driver does not report it, and the result is true then.
    func mayBeOverwritten(at index: Int, of count: Int, present: (Int) -> BufferMark?) -> Bool {
        guard present(index) == self else { return true }
        var hasNewer = false
        // The previous buffer is filled last, so it usually ends the search.
        for distance in 1..<max(1, count) {
            guard let other = present((index + count - distance) % count) else { return true }
            // The same buffer under two indices: another reader has requested fewer.
            if other == self, time.nanoseconds > 0 { continue }
            if other.time <= time { return false }
            hasNewer = true
        }
        return hasNewer
    }
}
