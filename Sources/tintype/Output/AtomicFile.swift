// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// A file that appears under its name only when complete, replacing the old one at once.
///
/// If the filesystem supports O_TMPFILE, the file has no name until it is complete, and an interrupted command leaves
/// nothing behind. Otherwise it has a hidden name in the same folder. All calls block.
final class AtomicFile {
    private let target: String
    /// Temporary name, in the target's folder because rename(2) must stay within one filesystem.
    private let hidden: String
    private let descriptor: CInt
    private let isNamed: Bool
    private var isFinished = false

    /// Creates or replaces the file that `path` leads to, with its permissions; those of a new one follow the umask.
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
        } catch  where error.code != EPERM {  // vfat has one mode for all files
            throw OutputError("fchmod", target, error)
        } catch {}
    }

    deinit {
        close(descriptor)
        if !isFinished { SystemCalls.remove(hidden) }
    }

    /// File that `path` leads to; throws if it has no name, as in /proc/self/fd: rename(2) would replace the link.
    static func destination(of path: String) throws(OutputError) -> String {
        if let resolved = SystemCalls.resolve(path) { return resolved }
        guard let next = SystemCalls.link(path) else { return path }
        // Throws for circular links.
        guard try OutputError.naming("stat", path, try SystemCalls.mode(path)) == nil else {
            throw OutputError("\(path) leads to a file that has no name any more.", remedy: "Give another path.")
        }
        return try destination(of: next.hasPrefix("/") ? next : "\(path.enclosingFolder)/\(next)")
    }

    func write(_ bytes: [UInt8]) throws(OutputError) {
        try OutputError.naming("write to", target, try SystemCalls.write(bytes, to: descriptor))
    }

    /// Flushes the file to disk (fsync(2)) and renames it to its target, replacing an old one.
    func finish() throws(OutputError) {
        try OutputError.naming("fsync", target, try SystemCalls.result { fsync(descriptor) })
        if !isNamed { try OutputError.naming("link", hidden, try SystemCalls.link(descriptor, to: hidden)) }
        try OutputError.naming("rename to", target, try SystemCalls.rename(hidden, to: target))
        isFinished = true
    }
}

struct OutputError: Error, Hashable {
    let detail: String
    let remedy: String
    /// True if the reader of a pipe has closed it, which is not reported.
    var isBrokenPipe = false

    init(_ detail: String, remedy: String) {
        self.detail = detail
        self.remedy = remedy
    }

    init(_ operation: String, _ path: String, _ error: SystemError) {
        detail = "\(operation) \(path): \(error)."
        remedy =
            switch error.code {
            case ENOENT, ENOTDIR: "Make its folder first, or give another path."
            case EACCES, EPERM, EROFS: "Give a path where your user may write."
            case ENOSPC, EDQUOT: "Make room there, or give a path on another disk."
            default: "Give another path."
            }
    }

    /// Runs `call` and converts its error to one of `operation` on `path`.
    @discardableResult
    static func naming<Value>(
        _ operation: String,
        _ path: String,
        _ call: @autoclosure () throws(SystemError) -> Value
    ) throws(OutputError) -> Value {
        do {
            return try call()
        } catch {
            throw OutputError(operation, path, error)
        }
    }

    init(stream: String, _ error: SystemError) {
        detail = "write to \(stream): \(error)."
        remedy = "Give the command a \(stream) that takes its output."
        isBrokenPipe = error.code == EPIPE
    }
}
