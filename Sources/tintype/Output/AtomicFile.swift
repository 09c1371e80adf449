// SPDX-License-Identifier: Apache-2.0
internal import Glibc

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

    /// Begins the file that will be at `path`; where that is a link, the file that it leads to is replaced.
    ///
    /// It gets the permissions in `mode`; where that is nil they follow the umask.
    init(_ path: String, mode: mode_t? = nil) throws(OutputError) {
        target = SystemCalls.resolve(path) ?? path
        let folder = Self.folder(of: target)
        hidden = "\(folder)/.tintype-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        if let unnamed = SystemCalls.createUnnamed(in: folder, mode: 0o666) {
            descriptor = unnamed
            isNamed = false
        } else {
            descriptor = try OutputError.naming("create", hidden, try SystemCalls.create(hidden, mode: 0o666))
            isNamed = true
        }
        guard let mode else { return }
        try OutputError.naming("fchmod", target, try SystemCalls.result { fchmod(descriptor, mode & 0o777) })
    }

    deinit {
        close(descriptor)
        if !isFinished { SystemCalls.remove(hidden) }
    }

    /// Writes `bytes` as the file at `path`.
    static func replace(_ path: String, with bytes: [UInt8], mode: mode_t? = nil) throws(OutputError) {
        let file = try AtomicFile(path, mode: mode)
        try file.write(bytes)
        try file.finish()
    }

    /// Appends `bytes`.
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

    /// The folder that `path` is in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
