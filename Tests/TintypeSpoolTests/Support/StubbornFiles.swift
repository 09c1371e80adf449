// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeSpool

/// The machine's files, of which some can neither be moved nor removed, nor others written.
final class StubbornFiles: FileLayer {
    let files = SystemFiles()
    private let code = Mutex<@Sendable (String) -> Int32?>({ _ in nil })

    /// Lets each call that changes a path fail for which `code` has an errno, from now on.
    func refuse(_ code: @escaping @Sendable (String) -> Int32?) { self.code.withLock { $0 = code } }

    private func check(_ operation: String, _ path: String) throws(FileError) {
        if let code = code.withLock({ $0(path) }) { throw FileError(operation, path, code: code) }
    }

    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try check("write", file.path)
        try files.write(bytes, to: file)
    }
    func move(_ path: String, to other: String) throws(FileError) {
        try check("rename", path)
        try files.move(path, to: other)
    }
    func replace(_ other: String, by path: String) throws(FileError) {
        try check("rename \(path) to", other)
        try files.replace(other, by: path)
    }
    func remove(_ path: String) throws(FileError) {
        try check("remove", path)
        try files.remove(path)
    }
}
