// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TintypeSpool

/// The machine's files with a fault: the call of a given index fails.
///
/// As `killed`, so does every call after it, the cleaning up too: what is on the disk then is what a SIGKILL at that
/// moment would leave.
final class FaultyFiles: FileSystem {
    enum Fault: Hashable {
        case error(Int32)
        case killed
    }

    private struct State {
        var calls: [String] = []
        var fault: Fault?
        var failing = Int.max
        var atFault: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let kept = Mutex<Set<String>>([])
    private let files = SystemFiles()

    /// The calls made since ``arm(_:at:)``, the failing one and those after it included.
    var calls: [String] { state.withLock(\.calls) }

    /// Lets the call `index`, from 0, of those made from now on fail.
    ///
    /// `atFault` is called just before it does: what is there then is what a kill would leave, before the daemon itself
    /// looks at what has failed and closes its catalog.
    func arm(_ fault: Fault, at index: Int, atFault: (@Sendable () -> Void)? = nil) {
        state.withLock { $0 = State(fault: fault, failing: index, atFault: atFault) }
    }

    /// Nothing fails from now on; calls are counted from 0.
    func disarm() { state.withLock { $0 = State() } }

    /// Files of these paths cannot be removed from now on.
    func keep(_ paths: Set<String>) { kept.withLock { $0 = paths } }

    private func step(_ call: String, _ path: String) throws(FileError) {
        let (code, atFault) = state.withLock { state -> (Int32?, (@Sendable () -> Void)?) in
            let index = state.calls.count
            state.calls.append(call)
            let code: Int32? =
                switch state.fault {
                case .error(let code): index == state.failing ? code : nil
                case .killed: index >= state.failing ? EINTR : nil
                case nil: nil
                }
            return (code, index == state.failing ? state.atFault : nil)
        }
        atFault?()
        if let code { throw FileError(call, path, code: code) }
    }

    func status(of path: String, following: Bool) throws(FileError) -> FileStatus? {
        try step("look at", path)
        return try files.status(of: path, following: following)
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
        do throws(FileError) {
            try step("write", file.path)
        } catch {
            // Half of it gets there, as on a disk that fills up.
            try files.write([UInt8](bytes.prefix(bytes.count / 2)), to: file)
            throw error
        }
        try files.write(bytes, to: file)
    }
    func syncData(of file: OpenFile) throws(FileError) {
        try step("flush", file.path)
        try files.syncData(of: file)
    }
    func close(_ file: OpenFile) throws(FileError) {
        // The descriptor is closed all the same: close(2).
        try files.close(file)
        try step("close", file.path)
    }
    func move(_ path: String, to other: String) throws(FileError) {
        try step("rename", other)
        try files.move(path, to: other)
    }
    func replace(_ other: String, by path: String) throws(FileError) {
        try step("replace", other)
        try files.replace(other, by: path)
    }
    func syncFolder(_ path: String) throws(FileError) {
        try step("flush the folder", path)
        try files.syncFolder(path)
    }
    func remove(_ path: String) throws(FileError) {
        try step("remove", path)
        if kept.withLock({ $0.contains(path) }) { throw FileError("remove", path, code: EPERM) }
        try files.remove(path)
    }
    func makeLink(_ path: String, to target: String) throws(FileError) {
        try step("make the link", path)
        try files.makeLink(path, to: target)
    }
    func target(ofLink path: String) throws(FileError) -> String {
        try step("read the link", path)
        return try files.target(ofLink: path)
    }
    func names(in folder: String) throws(FileError) -> [String] {
        try step("list", folder)
        return try files.names(in: folder)
    }
    func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        try step("read", path)
        return try files.read(path, atMost: limit)
    }
    func availableBytes(at path: String) throws(FileError) -> UInt64 {
        try step("look at the room of", path)
        return try files.availableBytes(at: path)
    }
    func unlock(_ file: OpenFile) throws(FileError) {
        // The kernel does that for a process that was killed.
        try files.unlock(file)
        try step("unlock", file.path)
    }
    func lockFolder(_ path: String) throws(FileError) -> OpenFile? {
        try step("lock", path)
        return try files.lockFolder(path)
    }
    func lock(_ path: String, mode: UInt32) throws(FileError) -> OpenFile? {
        try step("lock", path)
        return try files.lock(path, mode: mode)
    }
}
