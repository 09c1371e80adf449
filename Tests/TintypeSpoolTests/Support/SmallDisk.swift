// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

@testable internal import TintypeSpool

/// Files on a disk with limited free space, in blocks of 4 KiB.
///
/// Stores do not take space, removals free it; on a late disk stores take it and removals free none.
final class SmallDisk: FileLayer {
    let files = SystemFiles()
    private let free: Mutex<Int>
    private let isLate: Bool

    init(free: Int, isLate: Bool = false) {
        self.free = Mutex(free)
        self.isLate = isLate
    }

    var freeBytes: Int {
        get { free.withLock(\.self) }
        set { free.withLock { $0 = newValue } }
    }

    func availableBytes(at path: String) throws(FileError) -> UInt64 { UInt64(freeBytes) }

    private static func onDisk(_ bytes: Int) -> Int { (bytes + 4095) / 4096 * 4096 }

    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try files.write(bytes, to: file)
        if isLate, file.path.hasSuffix(".jpg") { free.withLock { $0 -= Self.onDisk(bytes.count) } }
    }

    func remove(_ path: String) throws(FileError) {
        let size = (try files.status(of: path, following: false)).flatMap { $0.kind == .file ? $0.size : nil } ?? 0
        try files.remove(path)
        if !isLate, path.hasSuffix(".jpg") { free.withLock { $0 += Self.onDisk(size) } }
    }
}
