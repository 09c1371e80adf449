// SPDX-License-Identifier: Apache-2.0

/// Memory that an encoder reuses; it only grows until ``trim()``.
@safe struct ScratchBuffer: ~Copyable {
    private var memory: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    init() { unsafe memory = nil }

    deinit { unsafe memory?.deallocate() }

    /// Traps if nothing is reserved.
    var start: UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe memory else { preconditionFailure("nothing was reserved") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }

    /// At least `count` uninitialised bytes, 64-byte aligned, valid until the next call.
    mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if let memory = unsafe memory, count <= capacity { return unsafe memory.assumingMemoryBound(to: UInt8.self) }
        unsafe memory?.deallocate()
        capacity = max(count, 64)
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
        unsafe memory = fresh
        return unsafe fresh.bindMemory(to: UInt8.self, capacity: capacity)
    }

    /// Frees the memory if it is larger than a 1920x1080 picture needs.
    mutating func trim() {
        guard capacity > 1920 * 1088 * 3 / 2 else { return }
        unsafe memory?.deallocate()
        unsafe memory = nil
        capacity = 0
    }
}
