// SPDX-License-Identifier: Apache-2.0

/// Memory that one encoder keeps from picture to picture; it grows and never shrinks.
@safe struct ScratchBuffer: ~Copyable {
    private var memory: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    init() { unsafe memory = nil }

    deinit { unsafe memory?.deallocate() }

    /// The bytes that were last reserved; there must have been some.
    var start: UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe memory else { preconditionFailure("nothing was reserved") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }

    /// At least `count` bytes, of any content, on a cache line's boundary; valid until the next call.
    mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if let memory = unsafe memory, count <= capacity {
            return unsafe memory.assumingMemoryBound(to: UInt8.self)
        }
        unsafe memory?.deallocate()
        capacity = max(count, 64)
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
        unsafe memory = fresh
        return unsafe fresh.bindMemory(to: UInt8.self, capacity: capacity)
    }

    /// Gives the memory back if it is more than a picture of 1920x1080 needs.
    mutating func trim() {
        guard capacity > Self.keptCount else { return }
        unsafe memory?.deallocate()
        unsafe memory = nil
        capacity = 0
    }

    /// What is kept from picture to picture, in bytes.
    static let keptCount = 1920 * 1088 * 3 / 2
}
