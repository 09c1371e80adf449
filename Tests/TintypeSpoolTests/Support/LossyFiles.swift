// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TintypeSpool

/// Files on a disk whose power can be cut: of what was not flushed, nothing stays.
///
/// A folder's names are those of its last flush, a file's bytes those of its last flush: a name made since is not there,
/// one removed or replaced since is back with what it stood for, and a file that never was flushed is empty. That is the
/// worst that POSIX allows. What SQLite writes goes past this layer and is kept: tests of whole disks look at that
/// (Tests/VirtualMachine/power-cut).
final class LossyFiles: FileLayer {
    /// What a name stood for when its folder was last flushed.
    fileprivate enum Old {
        case file([UInt8])
        case link(String)
    }

    fileprivate struct State {
        /// Names that were made and have not reached the disk.
        var unflushedNames: Set<String> = []
        /// Files whose bytes have not reached the disk, by their present name.
        var unflushedBytes: Set<String> = []
        /// Names whose removal has not reached the disk.
        var unflushedRemovals: [String: Old] = [:]
        /// How many changes are let through before the power is cut; nil for all.
        var rest: Int?
        /// What is done then.
        var atStop: (@Sendable () -> Void)?
    }

    let files = SystemFiles()
    private let state = Mutex(State())

    /// Lets every change after the next `count` fail, as for a process that is no more, and calls `atStop` at the first
    /// of them: what it finds on the disk is what the power cut finds.
    func stop(after count: Int, _ atStop: @escaping @Sendable () -> Void) {
        state.withLock { ($0.rest, $0.atStop) = (count, atStop) }
    }

    /// Takes away from a copy of the spool, which was at `original`, what the disk never got, and brings back what it
    /// never lost.
    func cutPower(_ copy: String, of original: String) throws {
        let (names, bytes, removals) = state.withLock { ($0.unflushedNames, $0.unflushedBytes, $0.unflushedRemovals) }
        func moved(_ path: String) -> String { copy + path.dropFirst(original.count) }
        for path in bytes where FileManager.default.fileExists(atPath: moved(path)) {
            try Data().write(to: URL(fileURLWithPath: moved(path)))
        }
        for path in names.sorted() where path != original { try? FileManager.default.removeItem(atPath: moved(path)) }
        for (path, old) in removals {
            let folder = URL(fileURLWithPath: moved(path)).deletingLastPathComponent().path
            guard FileManager.default.fileExists(atPath: folder) else { continue }
            switch old {
            case .file(let bytes): try Data(bytes).write(to: URL(fileURLWithPath: moved(path)))
            case .link(let target):
                try FileManager.default.createSymbolicLink(atPath: moved(path), withDestinationPath: target)
            }
        }
    }

    func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        try change(path)
        try files.makeFolder(path, mode: mode)
        state.withLock { _ = $0.unflushedNames.insert(path) }
    }

    func create(_ path: String, mode: UInt32) throws(FileError) -> OpenFile {
        try change(path)
        let file = try files.create(path, mode: mode)
        state.withLock { _ = $0.unflushedNames.insert(path) }
        return file
    }

    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try change(file.path)
        try files.write(bytes, to: file)
        state.withLock { _ = $0.unflushedBytes.insert(file.path) }
    }

    func syncData(of file: OpenFile) throws(FileError) {
        try change(file.path)
        try files.syncData(of: file)
        state.withLock { _ = $0.unflushedBytes.remove(file.path) }
    }

    func move(_ path: String, to other: String) throws(FileError) {
        try change(other)
        let old = old(path)
        try files.move(path, to: other)
        state.withLock { state in
            state.forget(path, old)
            state.unflushedNames.insert(other)
            if state.unflushedBytes.remove(path) != nil { state.unflushedBytes.insert(other) }
        }
    }

    func replace(_ other: String, by path: String) throws(FileError) {
        try change(other)
        let (old, replaced) = (old(path), old(other))
        try files.replace(other, by: path)
        state.withLock { state in
            state.forget(path, old)
            state.forget(other, replaced)
            state.unflushedNames.insert(other)
            if state.unflushedBytes.remove(path) != nil { state.unflushedBytes.insert(other) }
        }
    }

    func makeLink(_ path: String, to target: String) throws(FileError) {
        try change(path)
        try files.makeLink(path, to: target)
        state.withLock { _ = $0.unflushedNames.insert(path) }
    }

    func remove(_ path: String) throws(FileError) {
        try change(path)
        let old = old(path)
        try files.remove(path)
        state.withLock { state in
            state.forget(path, old)
            state.unflushedBytes.remove(path)
        }
    }

    func syncFolder(_ path: String) throws(FileError) {
        try change(path)
        try files.syncFolder(path)
        func isOutside(_ name: String) -> Bool {
            name.split(separator: "/").dropLast() != path.split(separator: "/")[...]
        }
        state.withLock { state in
            state.unflushedNames = state.unflushedNames.filter(isOutside)
            state.unflushedRemovals = state.unflushedRemovals.filter { isOutside($0.key) }
        }
    }

    /// Counts a change; refuses it once the power is cut.
    private func change(_ path: String) throws(FileError) {
        let (isRefused, atStop) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard let rest = state.rest else { return (false, nil) }
            guard rest == 0 else {
                state.rest = rest - 1
                return (false, nil)
            }
            defer { state.atStop = nil }
            return (true, state.atStop)
        }
        atStop?()
        if isRefused { throw FileError("change", path, code: EINTR) }
    }

    private func old(_ path: String) -> Old? {
        guard let status = try? files.status(of: path, following: false) else { return nil }
        switch status.kind {
        case .file: return (try? files.read(path, atMost: FileLimit.picture)).map(Old.file)
        case .link: return (try? files.target(ofLink: path)).map(Old.link)
        case .folder, .other: return nil
        }
    }
}

extension LossyFiles.State {
    /// Notes that a name is gone: it comes back if the disk knows it.
    fileprivate mutating func forget(_ path: String, _ old: LossyFiles.Old?) {
        if unflushedNames.remove(path) != nil { return }
        guard let old, unflushedRemovals[path] == nil else { return }
        // Bytes that were never flushed do not come back.
        unflushedRemovals[path] = unflushedBytes.contains(path) ? .file([]) : old
    }
}
