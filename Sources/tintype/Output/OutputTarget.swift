// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Where `-o` puts the picture, or `--record` the record.
enum OutputTarget: Hashable {
    /// `-`
    case standardOutput
    /// A file, new or replaced, or a device or pipe that is there.
    case file(String)

    init(_ option: String) { self = option == "-" ? .standardOutput : .file(option) }

    /// Refuses what certainly cannot take the picture.
    func check() throws(OutputError) {
        switch self {
        case .standardOutput:
            guard !StandardStream.output.isTerminal else {
                throw OutputError(
                    "stdout is a terminal, and a picture would garble it.",
                    remedy: "Give -o a file, or pipe the output to a program."
                )
            }
        case .file(let path):
            let type = try Self.mode(path).map { $0 & S_IFMT }
            guard type != S_IFDIR else {
                throw OutputError("\(path) is a folder.", remedy: "Give the name of a file in it.")
            }
            guard type == nil || type == S_IFREG else { return }
            let folder = AtomicFile.folder(of: SystemCalls.resolve(path) ?? path)
            try OutputError.naming("make a file in", folder, try SystemCalls.checkWritable(folder))
        }
    }

    /// Writes `bytes`; blocks.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        switch self {
        case .standardOutput: try StandardStream.output.write(bytes)
        case .file(let path):
            try check()
            let mode = try Self.mode(path)
            if let mode, mode & S_IFMT != S_IFREG {
                try Self.pour(bytes, into: path)
            } else {
                try AtomicFile.replace(path, with: bytes, mode: mode)
            }
        }
    }

    private static func mode(_ path: String) throws(OutputError) -> mode_t? {
        try OutputError.naming("stat", path, try SystemCalls.mode(path))
    }

    /// Writes into a device or pipe.
    private static func pour(_ bytes: [UInt8], into path: String) throws(OutputError) {
        let descriptor = try OutputError.naming("open", path, try SystemCalls.openForWriting(path))
        defer { close(descriptor) }
        try OutputError.naming("write to", path, try SystemCalls.write(bytes, to: descriptor))
    }
}
