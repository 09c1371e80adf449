// SPDX-License-Identifier: Apache-2.0
internal import Glibc

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
