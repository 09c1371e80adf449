// SPDX-License-Identifier: Apache-2.0
internal import TintypeSystem

/// Marks each call in the `CallRecord` of the calling thread, since a disk may never answer.
struct RecordedFiles: FileSystem {
    private let files: any FileSystem

    init(_ files: any FileSystem) { self.files = files }

    private func marking<Value>(_ call: @autoclosure () throws(FileError) -> Value) throws(FileError) -> Value {
        try CallRecord.marking { () throws(FileError) in try call() }
    }

    func status(of path: String, following: Bool) throws(FileError) -> FileStatus? {
        try marking(try files.status(of: path, following: following))
    }
    func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        try marking(try files.makeFolder(path, mode: mode))
    }
    func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile {
        try marking(try files.create(path, mode: mode))
    }
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) { try marking(try files.write(bytes, to: file)) }
    func syncData(of file: OpenFile) throws(FileError) { try marking(try files.syncData(of: file)) }
    func beginFlush(of file: OpenFile) { CallRecord.marking { files.beginFlush(of: file) } }
    func close(_ file: OpenFile) throws(FileError) { try marking(try files.close(file)) }
    func move(_ path: String, to other: String) throws(FileError) { try marking(try files.move(path, to: other)) }
    func replace(_ other: String, by path: String) throws(FileError) { try marking(try files.replace(other, by: path)) }
    func syncFolder(_ path: String) throws(FileError) { try marking(try files.syncFolder(path)) }
    func remove(_ path: String) throws(FileError) { try marking(try files.remove(path)) }
    func makeLink(_ path: String, to target: String) throws(FileError) {
        try marking(try files.makeLink(path, to: target))
    }
    func target(ofLink path: String) throws(FileError) -> String { try marking(try files.target(ofLink: path)) }
    func names(in folder: String) throws(FileError) -> [String] { try marking(try files.names(in: folder)) }
    func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try marking(try files.read(path, atMost: limit))
    }
    func availableBytes(at path: String) throws(FileError) -> UInt64 { try marking(try files.availableBytes(at: path)) }
    func lock(_ path: String, mode: UInt32?) throws(FileError) -> OpenFile? {
        try marking(try files.lock(path, mode: mode))
    }
    func unlock(_ file: OpenFile) throws(FileError) { try marking(try files.unlock(file)) }
    func kind(of path: String) throws(FileError) -> FileSystemKind { try marking(try files.kind(of: path)) }
}
