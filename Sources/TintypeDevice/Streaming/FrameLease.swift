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
    let mark: BufferMark?
    private let offset: Int
    private let used: Int

    /// A lease on `used` bytes of a buffer.
    package init(stamp: FrameStamp, pool: BufferPool, index: Int, used: Int) {
        self.init(stamp: stamp, pool: pool, index: index, mark: nil, used: used)
    }

    /// A lease on `used` bytes from `offset` of a buffer.
    init(stamp: FrameStamp, pool: BufferPool, index: Int, mark: BufferMark? = nil, offset: Int = 0, used: Int) {
        precondition(offset >= 0 && used >= 0 && offset + used <= pool.length(index), "a lease outside its buffer")
        self.stamp = stamp
        self.pool = pool
        self.index = index
        self.mark = mark
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
