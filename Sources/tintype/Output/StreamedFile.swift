// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file that is written piece by piece and gets its name when it is whole.
///
/// It is written beside its place, flushed and renamed; one that is never finished leaves nothing.
final class StreamedFile {
    private let target: String
    private let file: HiddenFile
    private var isFinished = false

    /// Begins the file that will be at `path`, where an older one is replaced.
    init(_ path: String) throws(OutputError) {
        target = SystemCalls.resolve(path) ?? path
        file = try HiddenFile(for: target)
    }

    deinit {
        _ = close(file.descriptor)
        if !isFinished { file.remove() }
    }

    /// Appends `bytes`; blocks.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        do throws(SystemError) {
            try SystemCalls.write(bytes, to: file.descriptor)
        } catch {
            throw OutputError("write to", target, error)
        }
    }

    /// Flushes it to the disk and gives it its name; blocks.
    func finish() throws(OutputError) {
        do throws(SystemError) {
            _ = try SystemCalls.result { fsync(file.descriptor) }
            try file.rename(to: target)
            isFinished = true
        } catch {
            throw OutputError("finish", target, error)
        }
    }
}
