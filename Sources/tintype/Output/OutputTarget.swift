// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

enum OutputTarget: Hashable {
    /// `-`, or a path that leads to the file of stdout.
    case standardOutput
    /// A new or replaced file, or an existing device or pipe.
    case file(String)

    init(_ option: String) {
        self = option == "-" || SystemCalls.isStandardOutput(option) ? .standardOutput : .file(option)
    }

    /// Throws if the target certainly cannot take a picture.
    func check() throws(OutputError) {
        switch self {
        case .standardOutput:
            guard StandardStream.output.isTerminal else { return }
            let remedy = "Give -o a file, or pipe the output to a program."
            throw OutputError("stdout is a terminal, and a picture would garble it.", remedy: remedy)
        case .file(let path):
            let type = try OutputError.naming("stat", path, try SystemCalls.mode(path)).map { $0 & S_IFMT }
            guard type != S_IFDIR else {
                throw OutputError("\(path) is a folder.", remedy: "Give the name of a file in it.")
            }
            guard type == nil || type == S_IFREG else { return }
            let folder = try AtomicFile.destination(of: path).enclosingFolder
            try OutputError.naming("make a file in", folder, try SystemCalls.checkWritable(folder))
        }
    }

    /// Blocks.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        switch self {
        case .standardOutput: try StandardStream.output.write(bytes)
        case .file(let path):
            try check()
            if let stream = try Self.stream(path) {
                try stream.write(bytes)
            } else {
                try AtomicFile.replace(path, with: bytes)
            }
        }
    }

    /// Opens the device or pipe at `path`; nil if a regular file is to be created or replaced.
    static func stream(_ path: String) throws(OutputError) -> OpenStream? {
        let mode = try OutputError.naming("stat", path, try SystemCalls.mode(path))
        guard let mode, mode & S_IFMT != S_IFREG else { return nil }
        return try OpenStream(path)
    }
}

/// An open device or pipe; a pipe's reader sees the end of file on deinitialization.
final class OpenStream: Sendable {
    private let path: String
    private let descriptor: CInt

    /// Opens an existing device or pipe; blocks until a pipe has a reader.
    init(_ path: String) throws(OutputError) {
        self.path = path
        descriptor = try OutputError.naming(
            "open",
            path,
            try Interruption.duringOutput { () throws(SystemError) in try SystemCalls.openForWriting(path) }
        )
    }

    deinit { close(descriptor) }

    /// Blocks until all bytes are written.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        try OutputError.naming(
            "write to",
            path,
            try Interruption.duringOutput { () throws(SystemError) in try SystemCalls.write(bytes, to: descriptor) }
        )
    }
}
