// SPDX-License-Identifier: Apache-2.0

/// Memory that one encoder keeps from picture to picture; it grows and never shrinks.
@safe struct ScratchBuffer: ~Copyable {
    private var start: UnsafeMutableRawPointer?
    private var capacity = 0

    init() { unsafe start = nil }

    deinit { unsafe start?.deallocate() }

    /// At least `count` bytes, of any content, on a cache line's boundary; valid until the next call.
    mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if let start = unsafe start, count <= capacity {
            return unsafe start.assumingMemoryBound(to: UInt8.self)
        }
        unsafe start?.deallocate()
        capacity = max(count, 64)
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
        unsafe start = fresh
        return unsafe fresh.bindMemory(to: UInt8.self, capacity: capacity)
    }
}
