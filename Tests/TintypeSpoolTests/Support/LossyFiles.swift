// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TintypeSpool

/// Files on a disk whose power can be cut: of what was not flushed, nothing stays.
///
/// A folder's names are those of its last flush, a file's bytes those of its last flush; a name made since is not
/// there, and a file that never was flushed is empty. That is the worst that POSIX allows.
final class LossyFiles: FileLayer {
    private struct State {
        /// Names that were made and have not reached the disk.
        var unflushedNames: Set<String> = []
        /// Files whose bytes have not reached the disk, by their present name.
        var unflushedBytes: Set<String> = []
    }

    let files = SystemFiles()
    private let state = Mutex(State())

    /// Takes away from a copy of the spool, which was at `original`, what the disk never got.
    func cutPower(_ copy: String, of original: String) throws {
        let (names, bytes) = state.withLock { ($0.unflushedNames, $0.unflushedBytes) }
        func moved(_ path: String) -> String { copy + path.dropFirst(original.count) }
        for path in bytes where FileManager.default.fileExists(atPath: moved(path)) {
            try Data().write(to: URL(fileURLWithPath: moved(path)))
        }
        for path in names.sorted() where path != original { try? FileManager.default.removeItem(atPath: moved(path)) }
    }

    func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        try files.makeFolder(path, mode: mode)
        state.withLock { _ = $0.unflushedNames.insert(path) }
    }

    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try files.write(bytes, to: file)
        state.withLock { _ = $0.unflushedBytes.insert(file.path) }
    }

    func syncData(of file: OpenFile) throws(FileError) {
        try files.syncData(of: file)
        state.withLock { _ = $0.unflushedBytes.remove(file.path) }
    }

    func move(_ path: String, to other: String) throws(FileError) {
        try files.move(path, to: other)
        state.withLock { state in
            state.unflushedNames.insert(other)
            if state.unflushedBytes.remove(path) != nil { state.unflushedBytes.insert(other) }
        }
    }

    func replace(_ other: String, by path: String) throws(FileError) {
        try files.replace(other, by: path)
        state.withLock { _ = $0.unflushedNames.insert(other) }
    }

    func syncFolder(_ path: String) throws(FileError) {
        try files.syncFolder(path)
        state.withLock { state in
            state.unflushedNames = state.unflushedNames.filter {
                $0.split(separator: "/").dropLast() != path.split(separator: "/")[...]
            }
        }
    }
}
