// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TintypeModel
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
        /// What the names of a call that goes on stood for before it.
        var old: [String: Old] = [:]
        var atChange: (@Sendable () -> Void)?
    }

    let files = SystemFiles()
    private let state = Mutex(State())

    /// Does `work` before each change from now on: what it finds on the disk is what a power cut finds.
    func beforeEachChange(_ work: (@Sendable () -> Void)?) { state.withLock { $0.atChange = work } }

    /// Copies the spool, and takes away from the copy what the disk never got, and brings back what it never lost.
    func cutPower(of folder: SpoolFolder) throws -> SpoolFolder {
        let (left, original) = (try folder.copy(), folder.path)
        let (names, bytes, removals) = state.withLock { ($0.unflushedNames, $0.unflushedBytes, $0.unflushedRemovals) }
        func moved(_ path: String) -> String { left.path + path.dropFirst(original.count) }
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
        return left
    }

    private static let changes: Set = [
        "make the folder", "create", "make the link", "write", "flush", "rename", "replace", "remove",
        "flush the folder",
    ]

    func begin(_ call: FileCall) {
        guard Self.changes.contains(call.verb) else { return }
        let atChange = state.withLock { $0.atChange }
        atChange?()
        for path in [call.path, call.source].compactMap(\.self) {
            let old = old(path)
            state.withLock { $0.old[path] = old }
        }
    }

    func end(_ call: FileCall) {
        state.withLock { state in
            switch call.verb {
            case "make the folder", "create", "make the link": state.unflushedNames.insert(call.path)
            case "write": state.unflushedBytes.insert(call.path)
            case "flush": state.unflushedBytes.remove(call.path)
            case "remove":
                state.forget(call.path)
                state.unflushedBytes.remove(call.path)
            case "flush the folder":
                let inside = { (name: String) in name.enclosingFolder == call.path }
                state.unflushedNames = state.unflushedNames.filter { !inside($0) }
                state.unflushedRemovals = state.unflushedRemovals.filter { !inside($0.key) }
            default:
                guard let source = call.source else { return }
                state.forget(source)
                state.forget(call.path)
                state.unflushedNames.insert(call.path)
                if state.unflushedBytes.remove(source) != nil { state.unflushedBytes.insert(call.path) }
            }
        }
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
    fileprivate mutating func forget(_ path: String) {
        if unflushedNames.remove(path) != nil { return }
        guard let old = old[path], unflushedRemovals[path] == nil else { return }
        // Bytes that were never flushed do not come back.
        unflushedRemovals[path] = unflushedBytes.contains(path) ? .file([]) : old
    }
}
