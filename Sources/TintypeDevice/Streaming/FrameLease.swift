// SPDX-License-Identifier: Apache-2.0

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
        if faults.isDisjoint(with: [.flagged, .short]) {
            if newest != nil { superseded += 1 }
            newest = consume lease
            damaged = nil
            return
        }
        if faults.contains(.flagged) { flagged += 1 } else { short += 1 }
        damaged = consume lease
    }
}
