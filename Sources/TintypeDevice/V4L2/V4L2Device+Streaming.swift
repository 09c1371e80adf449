// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension V4L2Device {
    /// The ioctls are `VIDIOC_REQBUFS`, `VIDIOC_QUERYBUF`, `VIDIOC_QBUF` and `VIDIOC_STREAMON`.
    package func start() throws(DeviceError) -> Int {
        guard let granted else {
            preconditionFailure("start() before configure()")
        }
        let count = try requestBuffers(UInt32(wantedBuffers))
        guard count > 0 else {
            throw .system(operation: "VIDIOC_REQBUFS", path: node.path, errno: ENOMEM)
        }
        try checkFormat()
        let pool = try map(count)
        self.pool = pool
        clock.begin(interval: granted.format.interval?.duration)
        lastSequence = nil
        for index in 0..<count { try queue(index) }
        var type = CInt(bitPattern: bufferType.rawValue)
        let code = node.attempt(.streamOn, CV4L2_STREAMON, &type)
        guard code == 0 else {
            // The signal may have gone since the input was selected.
            if let fault = signalFault { throw noSignal(fault) }
            throw .streamOn(identity, input: inputName ?? identity.card, errno: code)
        }
        return count
    }

    /// The ioctl is `VIDIOC_STREAMOFF`; leases that are out keep their bytes, in memory that is the driver's no more.
    ///
    /// Errors are of no use here: the descriptor is closed next.
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

    /// The ioctl is `VIDIOC_DQBUF`, called until it says EAGAIN.
    package func dequeue() throws(DeviceError) -> Drain {
        var drain = Drain()
        try reclaim()
        guard let pool, let granted else { return drain }
        while let buffer = try next() {
            guard buffer.index < pool.count else {
                // A driver that hands out what it was never given cannot be believed in anything else.
                throw .system(operation: "VIDIOC_DQBUF", path: node.path, errno: EBADF)
            }
            guard !isOther(buffer, granted.layout.fields) else {
                pool.takeBack(buffer.index)
                continue
            }
            drain.taken += 1
            drain.gaps += gap(before: buffer.sequence)
            let now = node.calls.clock.now
            var stamp = clock.stamp(sequence: buffer.sequence, time: buffer.time, flags: buffer.flags, now: now)
            if buffer.used < (granted.layout.byteCount ?? Self.smallestJPEG) { stamp.faults.insert(.short) }
            let length = pool.length(buffer.index)
            let offset = min(buffer.offset, length)
            let used = min(buffer.used, length - offset)
            var lease = FrameLease(stamp: stamp, pool: pool, index: buffer.index, offset: offset, used: used)
            if overwritesLentBuffers { lease.mark = mark(of: buffer.index) }
            drain.take(lease)
        }
        clock.sawEmptyQueue()
        try reclaim()
        return drain
    }

    /// The ioctl is `VIDIOC_QBUF`.
    package func reclaim() throws(DeviceError) {
        guard let pool else { return }
        try pool.drainReturned { (index) throws(DeviceError) in try queue(index) }
    }

    /// Whether it is the other field of a frame: pictures are made of the top ones alone, so that they do not jump by half
    /// a row from one to the next.
    private func isOther(_ buffer: DequeuedBuffer, _ fields: FieldOrder) -> Bool {
        fields == .alternating && buffer.field == V4L2_FIELD_BOTTOM.rawValue
    }

    /// Headers alone are longer than this.
    private static let smallestJPEG = 125

    private func gap(before sequence: UInt32) -> Int {
        defer { lastSequence = sequence }
        guard let lastSequence else { return 0 }
        let step = sequence &- lastSequence
        // A step back or a huge one is a counter that restarted, not four thousand million lost frames.
        return step > 1 && step < 1 << 16 ? Int(step - 1) : 0
    }
}
