// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A fixed piece of memory for pictures.
///
/// The kernel gives its pages one by one as they are first written, and takes all of them back when this ends
/// (mmap(2), munmap(2)): it never grows, and no picture in it is an allocation of its own. To be used by one thread at
/// a time.
@safe package final class FrameMemory {
    private let region: UnsafeMutableRawBufferPointer

    /// Memory of `byteCount` bytes, at least 1; nil where the kernel refuses it.
    package init?(byteCount: Int) {
        precondition(byteCount > 0, "memory for no picture")
        let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { return nil }
        unsafe region = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    deinit { unsafe munmap(region.baseAddress, region.count) }

    /// How many bytes it has.
    package var byteCount: Int { unsafe region.count }

    /// Writes `bytes` from `offset` on; they have to fit.
    package func write(_ bytes: RawSpan, at offset: Int) {
        precondition(offset >= 0 && offset + bytes.byteCount <= byteCount, "a picture outside of its memory")
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: region[offset...]).copyMemory(from: bytes)
        }
    }

    /// The same for the bytes of an array.
    package func write(_ bytes: [UInt8], at offset: Int) { unsafe write(bytes.span.bytes, at: offset) }

    /// A copy of the bytes in `range`, which has to lie within.
    package func read(_ range: Range<Int>) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCount, "a picture outside of its memory")
        return unsafe [UInt8](UnsafeRawBufferPointer(rebasing: region[range]))
    }
}
