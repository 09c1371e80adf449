// SPDX-License-Identifier: Apache-2.0

/// The right to read one captured buffer; the driver gets it back after the lease has ended.
///
/// May be moved to any thread; ends wherever it is dropped.
package struct FrameLease: ~Copyable, Sendable {
    /// Which frame this is and when it was taken.
    package let stamp: FrameStamp
    private let pool: BufferPool
    /// Which of the driver's buffers it is.
    package let index: Int
    /// How it was marked when it was taken, of a device that overwrites what it lent.
    var mark: BufferMark?
    private let offset: Int
    private let used: Int

    /// A lease on `used` bytes from `offset` of a buffer.
    package init(stamp: FrameStamp, pool: BufferPool, index: Int, offset: Int = 0, used: Int) {
        precondition(offset >= 0 && used >= 0 && offset + used <= pool.length(index), "a lease outside its buffer")
        self.stamp = stamp
        self.pool = pool
        self.index = index
        self.offset = offset
        self.used = used
        pool.lend(index)
    }

    deinit { pool.takeBack(index) }

    /// The captured bytes; they cannot outlive the lease.
    package var bytes: RawSpan {
        @_lifetime(borrow self)
        borrowing get {
            let span = unsafe pool.bytes(index).bytes.extracting(offset..<(offset + used))
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// Calls `body` with the captured bytes, for a lease that is stored where a property cannot borrow from it.
    package borrowing func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try body(bytes)
    }

    /// A copy of the captured bytes, which may outlive the lease.
    package borrowing func copiedBytes() -> [UInt8] {
        unsafe bytes.withUnsafeBytes { bytes in unsafe [UInt8](bytes) }
    }
}

/// What came out of the driver's queue when it was emptied.
package struct Drain: ~Copyable {
    /// The newest good buffer.
    package var newest: FrameLease?
    /// The newest buffer, where it is flagged or short; nil where a good one is newer.
    package var damaged: FrameLease?
    /// Buffers taken, good or not.
    package var taken = 0
    /// Buffers that the driver flagged as damaged.
    package var flagged = 0
    /// Buffers with fewer bytes than the format needs.
    package var short = 0
    /// Good buffers behind which a newer one waited.
    package var superseded = 0
    /// Frames that the driver left out, seen as gaps in `sequence`.
    package var gaps = 0
    /// Whether events wait too: only the test pattern, which has no POLLPRI, says it here.
    package var hasEvents = false

    /// Nothing came.
    package init() {}

    /// Counts a buffer that was taken as what it is, and keeps it in place of older ones.
    package mutating func take(_ lease: consuming FrameLease) {
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
