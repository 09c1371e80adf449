// SPDX-License-Identifier: Apache-2.0
internal import TintypeSpool
internal import TintypeSystem

/// A file call, as seen by a ``FileLayer``.
struct FileCall: Sendable {
    /// Name of the call, such as "flush the folder".
    var verb: String
    /// Path of the call; the new name of a rename.
    var path: String
    /// Old name of a rename.
    var source: String?

    func failure(_ code: Int32) -> FileError {
        FileError(source.map { "rename \($0) to" } ?? verb, path, code: code)
    }
}

/// A layer over the machine's files that intercepts some calls.
protocol FileLayer: FileSystem {
    /// The underlying files.
    var files: SystemFiles { get }
    /// Returns the path on the machine.
    func place(_ path: String) -> String
    /// Called before each call, which is skipped if this throws.
    func begin(_ call: FileCall) throws(FileError)
    func end(_ call: FileCall)
}

extension FileLayer {
    func place(_ path: String) -> String { path }
    func begin(_ call: FileCall) throws(FileError) {}
    func end(_ call: FileCall) {}

    private func step<Value>(
        _ verb: String,
        _ path: String,
        from source: String? = nil,
        _ work: @autoclosure () throws(FileError) -> Value
    ) throws(FileError) -> Value {
        let call = FileCall(verb: verb, path: path, source: source)
        return try CallRecord.marking { () throws(FileError) in
            try begin(call)
            let value = try work()
            end(call)
            return value
        }
    }

    func status(of path: String, following: Bool) throws(FileError) -> FileStatus? {
        try step("look at", path, try files.status(of: place(path), following: following))
    }
    func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        try step("make the folder", path, try files.makeFolder(place(path), mode: mode))
    }
    func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile {
        try step("create", path, try files.create(place(path), mode: mode))
    }
    func reopen(_ path: String, from offset: Int) throws(FileError) -> OpenFile {
        try step("open", path, try files.reopen(place(path), from: offset))
    }
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try step("write", file.path, try files.write(bytes, to: file))
    }
    func beginFlush(of file: OpenFile) {}
    func kind(of path: String) throws(FileError) -> FileSystemKind { try files.kind(of: path) }
    func syncData(of file: OpenFile) throws(FileError) { try step("flush", file.path, try files.syncData(of: file)) }
    func close(_ file: OpenFile) throws(FileError) { try step("close", file.path, try files.close(file)) }
    func move(_ path: String, to other: String) throws(FileError) {
        try step("rename", other, from: path, try files.move(place(path), to: place(other)))
    }
    func replace(_ other: String, by path: String) throws(FileError) {
        try step("replace", other, from: path, try files.replace(place(other), by: place(path)))
    }
    func syncFolder(_ path: String) throws(FileError) {
        try step("flush the folder", path, try files.syncFolder(place(path)))
    }
    func remove(_ path: String) throws(FileError) { try step("remove", path, try files.remove(place(path))) }
    func makeLink(_ path: String, to target: String) throws(FileError) {
        try step("make the link", path, try files.makeLink(place(path), to: target))
    }
    func target(ofLink path: String) throws(FileError) -> String {
        try step("read the link", path, try files.target(ofLink: place(path)))
    }
    func names(in folder: String) throws(FileError) -> [String] {
        try step("list", folder, try files.names(in: place(folder)))
    }
    func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try step("read", path, try files.read(place(path), atMost: limit))
    }
    func read(_ path: String, _ part: Range<Int>) throws(FileError) -> [UInt8] {
        try step("read", path, try files.read(place(path), part))
    }
    func availableBytes(at path: String) throws(FileError) -> UInt64 {
        try step("look at the room of", path, try files.availableBytes(at: place(path)))
    }
    func lock(_ path: String, mode: UInt32?) throws(FileError) -> OpenFile? {
        try step("lock", path, try files.lock(place(path), mode: mode))
    }
    func unlock(_ file: OpenFile) throws(FileError) { try step("unlock", file.path, try files.unlock(file)) }
}
