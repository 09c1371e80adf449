// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// A file that is written piece by piece: under its name is the old one or the new one, never a part.
///
/// Where the file system knows files without a name (`O_TMPFILE`) it has none before it is whole, so that a command
/// that is interrupted leaves nothing; elsewhere it has a hidden one beside its place. All calls block.
final class AtomicFile {
    private let target: String
    /// The name that it has, or gets for a moment: in the folder of the target, so that rename(2) stays within one
    /// filesystem.
    private let hidden: String
    private let descriptor: CInt
    private let isNamed: Bool
    private var isFinished = false

    /// Begins the file that will be at `path`; where that is a link, the file that it leads to is made or replaced.
    ///
    /// It gets the permissions of the file that it replaces; those of a new one follow the umask.
    init(_ path: String) throws(OutputError) {
        let place = try Self.destination(of: path)
        target = place
        let mode = try OutputError.naming("stat", place, try SystemCalls.mode(place))
        let folder = target.enclosingFolder
        hidden = "\(folder)/.tintype-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        if let unnamed = SystemCalls.createUnnamed(in: folder, mode: 0o666) {
            descriptor = unnamed
            isNamed = false
        } else {
            descriptor = try OutputError.naming("create", hidden, try SystemCalls.create(hidden, mode: 0o666))
            isNamed = true
        }
        guard let mode else { return }
        do throws(SystemError) {
            try SystemCalls.result { fchmod(descriptor, mode & 0o777) }
        } catch  where error.code != EPERM {  // vfat has one for all files
            throw OutputError("fchmod", target, error)
        } catch {}
    }

    deinit {
        close(descriptor)
        if !isFinished { SystemCalls.remove(hidden) }
    }

    /// The path that has the file that `path` leads to, or gets it.
    ///
    /// Throws where a link leads to a file without a name, as in /proc/self/fd: rename(2) would replace the link.
    static func destination(of path: String) throws(OutputError) -> String {
        if let resolved = SystemCalls.resolve(path) { return resolved }
        guard let next = SystemCalls.link(path) else { return path }
        // Links in a circle are an error here.
        guard try OutputError.naming("stat", path, try SystemCalls.mode(path)) == nil else {
            throw OutputError("\(path) leads to a file that has no name any more.", remedy: "Give another path.")
        }
        return try destination(of: next.hasPrefix("/") ? next : "\(path.enclosingFolder)/\(next)")
    }

    static func replace(_ path: String, with bytes: [UInt8]) throws(OutputError) {
        let file = try AtomicFile(path)
        try file.write(bytes)
        try file.finish()
    }

    func write(_ bytes: [UInt8]) throws(OutputError) {
        try OutputError.naming("write to", target, try SystemCalls.write(bytes, to: descriptor))
    }

    /// Flushes it to the disk and gives it its name, in place of a file that had it.
    func finish() throws(OutputError) {
        try OutputError.naming("fsync", target, try SystemCalls.result { fsync(descriptor) })
        if !isNamed { try OutputError.naming("link", hidden, try SystemCalls.link(descriptor, to: hidden)) }
        try OutputError.naming("rename to", target, try SystemCalls.rename(hidden, to: target))
        isFinished = true
    }
}
