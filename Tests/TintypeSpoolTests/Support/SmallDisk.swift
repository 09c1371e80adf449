// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

@testable internal import TintypeSpool

/// Files on a disk of which only so many bytes are free; what is removed is given back in blocks of 4 KiB.
final class SmallDisk: FileLayer {
    let files = SystemFiles()
    private let free: Mutex<Int>

    init(free: Int) { self.free = Mutex(free) }

    /// Bytes that are free now.
    var freeBytes: Int {
        get { free.withLock(\.self) }
        set { free.withLock { $0 = newValue } }
    }

    func availableBytes(at path: String) throws(FileError) -> UInt64 { UInt64(freeBytes) }

    func remove(_ path: String) throws(FileError) {
        let size = (try files.status(of: path, following: false)).flatMap { $0.kind == .file ? $0.size : nil } ?? 0
        try files.remove(path)
        if path.hasSuffix(".jpg") { free.withLock { $0 += (size + 4095) / 4096 * 4096 } }
    }
}
