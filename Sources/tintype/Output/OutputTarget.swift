// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Where `-o` puts the picture.
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
                throw OutputError("\(path) is a folder.", remedy: "Give -o the name of a file in it.")
            }
            guard type == nil || type == S_IFREG else { return }
            let folder = OutputFile.folder(of: SystemCalls.resolve(path) ?? path)
            do throws(SystemError) {
                try SystemCalls.checkWritable(folder)
            } catch {
                throw OutputError("make a file in", folder, error)
            }
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
                try OutputFile.pour(bytes, into: path)
            } else {
                try OutputFile.replace(path, with: bytes, mode: mode)
            }
        }
    }

    private static func mode(_ path: String) throws(OutputError) -> mode_t? {
        do {
            return try SystemCalls.mode(path)
        } catch {
            throw OutputError("stat", path, error)
        }
    }
}
