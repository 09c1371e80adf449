// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TintypeSpool

/// A disk that can go bad: from a moment on, every call that writes fails with one error, until it is mended.
final class RefusingFiles: FileLayer {
    let files = SystemFiles()
    private let code = Mutex<Int32?>(nil)
    private let isCached = Mutex(false)

    /// Lets calls that write fail; where `isCached`, only those that wait for the disk, as where it is gone and what is
    /// known of it in memory is not.
    func refuse(_ code: Int32, isCached: Bool = false) {
        self.isCached.withLock { $0 = isCached }
        self.code.withLock { $0 = code }
    }

    /// Nothing fails from now on.
    func mend() { code.withLock { $0 = nil } }

    private func step(_ operation: String, _ path: String) throws(FileError) {
        guard operation == "flush" || !isCached.withLock(\.self) else { return }
        if let code = code.withLock(\.self) { throw FileError(operation, path, code: code) }
    }

    func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        try step("make the folder", path)
        try files.makeFolder(path, mode: mode)
    }
    func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile {
        try step("create", path)
        return try files.create(path, mode: mode)
    }
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try step("write", file.path)
        try files.write(bytes, to: file)
    }
    func syncData(of file: OpenFile) throws(FileError) {
        try step("flush", file.path)
        try files.syncData(of: file)
    }
    func move(_ path: String, to other: String) throws(FileError) {
        try step("rename \(path) to", other)
        try files.move(path, to: other)
    }
    func lock(_ path: String, mode: UInt32) throws(FileError) -> OpenFile? {
        try step("create", path)
        return try files.lock(path, mode: mode)
    }
}
