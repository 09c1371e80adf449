// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Memory for code that is not trusted to stay inside of it: an inaccessible page lies right behind its end, so
/// that a byte too many ends the process instead of changing what belongs to others.
///
/// It grows and never shrinks; one thread at a time uses it.
@safe struct GuardedMemory: ~Copyable {
    private var start: UnsafeMutableRawPointer?
    private var capacity = 0

    init() { unsafe start = nil }

    deinit { if let start = unsafe start { unsafe munmap(start, capacity + Self.page) } }

    private static let page = Int(sysconf(CInt(_SC_PAGESIZE)))

    /// `count` bytes of any content that end where the guard begins, up to 15 bytes before it; valid until the next call.
    ///
    /// Throws ``ConversionError/damaged(_:)`` where there is no memory for them.
    mutating func reserve(_ count: Int) throws(ConversionError) -> UnsafeMutableRawBufferPointer {
        if count > capacity || capacity == 0 { try grow(to: count) }
        guard let start = unsafe start else { throw .damaged("there is no memory for \(count) bytes") }
        // What is read as words has to begin on their boundary.
        let first = (capacity - count) & ~15
        return unsafe UnsafeMutableRawBufferPointer(start: start + first, count: count)
    }

    /// The bytes that the last ``reserve(_:)`` of this count gave.
    func current(_ count: Int) -> UnsafeRawBufferPointer {
        guard let start = unsafe start, count <= capacity else { preconditionFailure("memory that was not reserved") }
        return unsafe UnsafeRawBufferPointer(start: start + ((capacity - count) & ~15), count: count)
    }

    private mutating func grow(to count: Int) throws(ConversionError) {
        if let start = unsafe start { unsafe munmap(start, capacity + Self.page) }
        unsafe start = nil
        capacity = 0
        let wanted = (max(count, 1) + Self.page - 1) / Self.page * Self.page
        let fresh = unsafe mmap(nil, wanted + Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let fresh = unsafe fresh, unsafe fresh != MAP_FAILED else {
            throw .damaged("there is no memory for \(count) bytes")
        }
        guard unsafe mprotect(fresh + wanted, Self.page, PROT_NONE) == 0 else {
            unsafe munmap(fresh, wanted + Self.page)
            throw .damaged("there is no memory for \(count) bytes")
        }
        unsafe start = fresh
        capacity = wanted
    }
}
