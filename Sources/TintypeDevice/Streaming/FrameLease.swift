// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Read access to one captured buffer, which is requeued once the lease is released, on any thread.
package struct FrameLease: ~Copyable, Sendable {
    package let stamp: FrameStamp
    private let pool: BufferPool
    package let index: Int
    /// State when dequeued, for devices that overwrite buffers on lease.
    var mark: BufferMark?
    private let offset: Int
    private let used: Int

    package init(stamp: FrameStamp, pool: BufferPool, index: Int, offset: Int = 0, used: Int) {
        precondition(offset >= 0 && used >= 0 && offset + used <= pool.length(index), "a lease outside its buffer")
        (self.stamp, self.pool, self.index, self.offset, self.used) = (stamp, pool, index, offset, used)
        pool.lend(index)
    }

    deinit { pool.returnBuffer(index) }

    /// The captured bytes, valid until the lease ends.
    package var bytes: RawSpan {
        @_lifetime(borrow self)
        borrowing get {
            let span = unsafe pool.bytes(index).bytes.extracting(offset..<(offset + used))
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// Calls `body` with the captured bytes, for leases stored where a property cannot borrow from them.
    package borrowing func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R { try body(bytes) }

    package borrowing func copiedBytes() -> [UInt8] { unsafe bytes.withUnsafeBytes { bytes in unsafe [UInt8](bytes) } }
}

package struct Drain: ~Copyable {
    package var newest: FrameLease?
    /// The newest buffer if it is flagged or short; nil if a good one is newer.
    package var damaged: FrameLease?
    /// Buffers dequeued, good or not.
    package var taken = 0
    /// `V4L2_BUF_FLAG_ERROR` was set.
    package var flagged = 0
    /// Fewer bytes than the format needs.
    package var short = 0
    /// Good buffers replaced by a newer one.
    package var superseded = 0
    /// Frames dropped by the driver, from gaps in `sequence`.
    package var gaps = 0
    /// Set only by the test pattern, which has no POLLPRI.
    package var hasEvents = false

    /// Counts a dequeued buffer and keeps it in place of older ones.
    package mutating func add(_ lease: consuming FrameLease) {
        let faults = lease.stamp.faults
        if !faults.contains(.flagged), !faults.contains(.short) {
            if newest != nil { superseded += 1 }
            newest = consume lease
            damaged = nil
            return
        }
        if faults.contains(.flagged) { flagged += 1 } else { short += 1 }
        damaged = consume lease
    }
}

package struct FrameStamp: Hashable, Sendable {
    /// `sequence` of `v4l2_buffer`; wraps, and restarts with every stream.
    package var sequence: UInt32
    /// Number of the stream within its session; 0 outside of one.
    package var stream: UInt64 = 0
    /// Number of the buffer since the start of the stream, damaged ones included; 1 for the first.
    package var ordinal: UInt64
    package var exposureStart: MonotonicTime
    /// Maximum error of ``exposureStart``, in either direction.
    package var uncertainty: Duration
    /// Time from ``exposureStart`` to the driver's timestamp; nil if equal, or if the timestamp was rejected.
    package var lead: Duration?
    package var source: TimestampSource
    /// Time of `VIDIOC_DQBUF`.
    package var dequeued: MonotonicTime
    /// Faults of the buffer according to the driver, independent of its content.
    package var faults: [PictureFault] = []
    /// Dequeued before the driver's queue was first seen empty.
    package var isOfBeginning = false

    /// The driver's timestamp, or the time of `VIDIOC_DQBUF` if that was rejected.
    package var driverTime: MonotonicTime { exposureStart + (lead ?? .zero) }

    /// True if the buffer may have been filled long before the stream began; no use for freshness, timing or settling.
    ///
    /// v4l2loopback hands out two such buffers at once (0.12.7, `get_capture_buffer`).
    package var mayPrecedeStream: Bool { source == .dequeue && (isOfBeginning || ordinal <= 1) }
    package var earliestExposure: MonotonicTime { exposureStart - uncertainty }

    /// True if this frame and all later ones were exposed after `moment`.
    ///
    /// A frame without a timestamp of its own may be dated after the next one.
    package func isPast(_ moment: MonotonicTime) -> Bool {
        exposureStart > moment && (source != .dequeue || earliestExposure > moment)
    }
}
