// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Writes a file whole: under its name is the old one or the new one, never a part.
enum OutputFile {
    /// Writes `bytes` to a file beside `path`, flushes it to the disk and gives it the name; blocks.
    ///
    /// Where `path` is a link, the file that it leads to is replaced. The new file keeps the permissions in `mode`, that
    /// of the old one; without an old one they follow the umask.
    static func replace(_ path: String, with bytes: [UInt8], mode: mode_t?) throws(OutputError) {
        let target = SystemCalls.resolve(path) ?? path
        let file = try HiddenFile(for: target)
        defer { close(file.descriptor) }
        do throws(OutputError) {
            try fill(file.descriptor, file.path, bytes, mode)
            try call("rename to", target) { () throws(SystemError) in try file.rename(to: target) }
        } catch {
            file.remove()
            throw error
        }
    }

    /// Writes `bytes` into the device or pipe at `path`; blocks.
    static func pour(_ bytes: [UInt8], into path: String) throws(OutputError) {
        let descriptor = try call("open", path) { () throws(SystemError) in try SystemCalls.openForWriting(path) }
        defer { close(descriptor) }
        try call("write to", path) { () throws(SystemError) in try SystemCalls.write(bytes, to: descriptor) }
    }

    private static func fill(
        _ descriptor: CInt,
        _ path: String,
        _ bytes: [UInt8],
        _ mode: mode_t?
    ) throws(OutputError) {
        if let mode {
            try call("fchmod", path) { () throws(SystemError) in
                _ = try SystemCalls.result { fchmod(descriptor, mode & 0o777) }
            }
        }
        try call("write to", path) { () throws(SystemError) in try SystemCalls.write(bytes, to: descriptor) }
        try call("fsync", path) { () throws(SystemError) in _ = try SystemCalls.result { fsync(descriptor) } }
    }

    /// A hidden name in the same folder, so that rename(2) stays within one filesystem.
    static func temporaryName(beside path: String) -> String {
        let random = String(UInt64.random(in: 0 ... .max), radix: 36)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return "\(folder).tintype-\(random)"
    }

    /// The folder that `path` is in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func call<Value>(
        _ operation: String,
        _ path: String,
        _ body: () throws(SystemError) -> Value
    ) throws(OutputError) -> Value {
        do {
            return try body()
        } catch {
            throw OutputError(operation, path, error)
        }
    }
}
