// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TintypeModel
internal import TintypeSpool

/// Files on a disk whose power can be cut: everything unflushed is lost.
///
/// A folder has the names of its last flush and a file the bytes of its last flush: newer names are missing, removed or
/// replaced ones are back with their old contents, and a file that was never flushed is empty. That is the worst case
/// allowed by POSIX. Writes of SQLite bypass this layer and are kept: Tests/VirtualMachine/power-cut covers them on
/// whole disks.
final class LossyFiles: FileLayer {
    /// Contents of a name at the last flush of its folder.
    fileprivate enum Old {
        case file([UInt8])
        case link(String)
    }

    fileprivate struct State {
        /// New names that have not reached the disk.
        var unflushedNames: Set<String> = []
        /// Current names of files whose bytes have not reached the disk.
        var unflushedBytes: Set<String> = []
        /// Removed names whose removal has not reached the disk.
        var unflushedRemovals: [String: Old] = [:]
        /// Previous contents of the names of the running call.
        var old: [String: Old] = [:]
        var atChange: (@Sendable () -> Void)?
    }

    let files = SystemFiles()
    private let state = Mutex(State())

    /// Runs `work` before each change from now on: it finds the disk as a power cut would.
    func beforeEachChange(_ work: (@Sendable () -> Void)?) { state.withLock { $0.atChange = work } }

    /// Returns a copy of the spool without anything unflushed and with everything whose removal was not flushed.
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
    /// Records the removal of a name: it returns if the disk knows it.
    fileprivate mutating func forget(_ path: String) {
        if unflushedNames.remove(path) != nil { return }
        guard let old = old[path], unflushedRemovals[path] == nil else { return }
        // Bytes that were never flushed do not return.
        unflushedRemovals[path] = unflushedBytes.contains(path) ? .file([]) : old
    }
}
