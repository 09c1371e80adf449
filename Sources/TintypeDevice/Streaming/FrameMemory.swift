// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Fixed-size memory for pictures, which then need no allocations; not thread-safe.
///
/// The kernel allocates pages on first write and reclaims them when the object is released (mmap(2), munmap(2)).
@safe package final class FrameMemory {
    private let region: UnsafeMutableRawBufferPointer

    /// Maps `byteCount` bytes, at least 1; nil if the kernel refuses.
    package init?(byteCount: Int) {
        precondition(byteCount > 0, "memory for no picture")
        let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { return nil }
        unsafe region = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    deinit { unsafe munmap(region.baseAddress, region.count) }

    package var byteCount: Int { unsafe region.count }

    /// Writes `bytes` at `offset`; traps if they do not fit.
    package func write(_ bytes: RawSpan, at offset: Int) {
        precondition(offset >= 0 && offset + bytes.byteCount <= byteCount, "a picture outside of its memory")
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: region[offset...]).copyMemory(from: bytes)
        }
    }

    package func write(_ bytes: [UInt8], at offset: Int) { unsafe write(bytes.span.bytes, at: offset) }

    /// Copies the bytes in `range`; traps if it is out of bounds.
    package func read(_ range: Range<Int>) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCount, "a picture outside of its memory")
        return unsafe [UInt8](UnsafeRawBufferPointer(rebasing: region[range]))
    }
}
