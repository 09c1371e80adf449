// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// A fixed piece of memory for pictures.
///
/// The kernel gives its pages one by one as they are first written, and takes all of them back when this ends
/// (mmap(2), munmap(2)): it never grows, and no picture in it is an allocation of its own. To be used by one thread at
/// a time.
@safe package final class FrameMemory {
    private let region: UnsafeMutableRawBufferPointer
    /// The file that it is, for another process; -1 where it is none.
    package let descriptor: CInt

    /// Memory of `byteCount` bytes, at least 1; nil where the kernel refuses it.
    ///
    /// If it `isShared`, it is a file that can be handed to another process (memfd_create(2)).
    package convenience init?(byteCount: Int, isShared: Bool = false) {
        precondition(byteCount > 0, "memory for no picture")
        guard isShared else {
            self.init(mapping: byteCount, of: -1, MAP_PRIVATE | MAP_ANONYMOUS)
            return
        }
        let file = unsafe cv4l2_memory_file("tintype-frames")
        guard file >= 0 else { return nil }
        guard ftruncate(file, byteCount) == 0 else {
            close(file)
            return nil
        }
        self.init(mapping: byteCount, of: file, MAP_SHARED)
    }

    /// The memory of another process that had `byteCount` bytes, which it owns from now on, as its file; nil where that is none,
    /// or a shorter one.
    package convenience init?(adopting file: CInt, byteCount: Int) {
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= byteCount else {
            close(file)
            return nil
        }
        self.init(mapping: byteCount, of: file, MAP_SHARED)
    }

    private init?(mapping byteCount: Int, of file: CInt, _ flags: CInt) {
        let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, file, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else {
            if file >= 0 { close(file) }
            return nil
        }
        unsafe region = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
        descriptor = file
    }

    deinit {
        unsafe munmap(region.baseAddress, region.count)
        if descriptor >= 0 { close(descriptor) }
    }

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

    // MARK: - Behind the pictures of a shared one

    /// Writes `words` behind the pictures, as the end of its file; false where the kernel refuses that (pwrite(2)).
    package func append(_ words: [Int64]) -> Bool {
        guard descriptor >= 0, ftruncate(descriptor, byteCount) == 0 else { return false }
        let size = words.count * MemoryLayout<Int64>.size
        return unsafe words.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, size, off_t(byteCount)) }
            == size
    }

    /// What ``append(_:)`` has written.
    package func appended() -> [Int64] {
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else { return [] }
        var words = [Int64](repeating: 0, count: (Int(status.st_size) - byteCount) / MemoryLayout<Int64>.size)
        let size = words.count * MemoryLayout<Int64>.size
        let count = unsafe words.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, size, off_t(byteCount))
        }
        return count == size ? words : []
    }
}
