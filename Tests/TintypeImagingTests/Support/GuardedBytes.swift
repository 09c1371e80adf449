// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Bytes that end at a guard page: reading one byte past them ends the test run.
@safe final class GuardedBytes {
    private let mapping: UnsafeMutableRawPointer
    private let mappedCount: Int
    private let start: UnsafeMutableRawPointer
    private let count: Int

    /// Copies `bytes`; nil if memory cannot be mapped.
    init?(_ bytes: [UInt8]) {
        let page = sysconf(CInt(_SC_PAGESIZE))
        let pages = (bytes.count + page - 1) / page * page
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let mapping = unsafe mmap(nil, pages + page, PROT_READ | PROT_WRITE, flags, -1, 0),
            unsafe mapping != MAP_FAILED
        else { return nil }
        unsafe self.mapping = mapping
        mappedCount = pages + page
        count = bytes.count
        unsafe start = mapping + (pages - bytes.count)
        unsafe start.copyMemory(from: bytes, byteCount: bytes.count)
        guard unsafe mprotect(mapping + pages, page, PROT_NONE) == 0 else { return nil }
    }

    deinit { unsafe _ = munmap(mapping, mappedCount) }

    /// Replaces the bytes before the guard page by `bytes`, which may not be longer.
    func replaceTail(with bytes: [UInt8]) -> RawSpanSource {
        unsafe (start + (count - bytes.count)).copyMemory(from: bytes, byteCount: bytes.count)
        return unsafe RawSpanSource(owner: self, start: start + (count - bytes.count), count: bytes.count)
    }

    var whole: RawSpanSource { unsafe RawSpanSource(owner: self, start: start, count: count) }

    /// Tail of the guarded bytes, up to the guard page.
    @safe struct RawSpanSource {
        fileprivate let owner: GuardedBytes
        fileprivate let start: UnsafeMutableRawPointer
        fileprivate let count: Int

        /// Bytes, valid during the lifetime of this value.
        var bytes: RawSpan {
            @_lifetime(borrow self) borrowing get {
                let span = unsafe UnsafeRawBufferPointer(start: start, count: count).bytes
                return unsafe _overrideLifetime(span, borrowing: self)
            }
        }
    }
}
