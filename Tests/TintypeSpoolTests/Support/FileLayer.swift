// SPDX-License-Identifier: Apache-2.0
internal import TintypeSpool

/// A layer over the machine's files that changes only some of the calls.
protocol FileLayer: FileSystem {
    /// What is below.
    var files: SystemFiles { get }
}

extension FileLayer {
    func status(of path: String, following: Bool) throws(FileError) -> FileStatus? {
        try files.status(of: path, following: following)
    }
    func makeFolder(_ path: String, mode: UInt32) throws(FileError) { try files.makeFolder(path, mode: mode) }
    func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile { try files.create(path, mode: mode) }
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) { try files.write(bytes, to: file) }
    func syncData(of file: OpenFile) throws(FileError) { try files.syncData(of: file) }
    func close(_ file: OpenFile) throws(FileError) { try files.close(file) }
    func move(_ path: String, to other: String) throws(FileError) { try files.move(path, to: other) }
    func replace(_ other: String, by path: String) throws(FileError) { try files.replace(other, by: path) }
    func syncFolder(_ path: String) throws(FileError) { try files.syncFolder(path) }
    func remove(_ path: String) throws(FileError) { try files.remove(path) }
    func makeLink(_ path: String, to target: String) throws(FileError) { try files.makeLink(path, to: target) }
    func target(ofLink path: String) throws(FileError) -> String { try files.target(ofLink: path) }
    func names(in folder: String) throws(FileError) -> [String] { try files.names(in: folder) }
    func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try files.read(path, atMost: limit)
    }
    func availableBytes(at path: String) throws(FileError) -> UInt64 { try files.availableBytes(at: path) }
    func lockFolder(_ path: String) throws(FileError) -> OpenFile? { try files.lockFolder(path) }
    func unlock(_ file: OpenFile) throws(FileError) { try files.unlock(file) }
    func lock(_ path: String, mode: UInt32) throws(FileError) -> OpenFile? { try files.lock(path, mode: mode) }
}
