// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A program that a test talks with, line by line.
final class Conversation {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private let errors: String
    private var rest: [UInt8] = []

    init(_ program: String, _ arguments: [String]) throws {
        errors = FileManager.default.temporaryDirectory.path + "/tintype-conversation-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
        try process.run()
    }

    deinit { try? FileManager.default.removeItem(atPath: errors) }

    /// The next line that it writes; nil once it has closed its output.
    ///
    /// Blocks.
    func next() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return nil }
            rest += data
        }
    }

    /// Writes it a line.
    func answer(_ line: String) {
        let text = line.replacingOccurrences(of: "\n", with: " ") + "\n"
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Waits for its end: its exit status, and what it wrote to standard error.
    func end() -> (status: Int32, errors: String) {
        process.waitUntilExit()
        return (process.terminationStatus, (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")
    }
}
