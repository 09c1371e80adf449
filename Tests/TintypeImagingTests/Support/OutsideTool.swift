// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Other people's programs, as judges of our pictures.
enum OutsideTool {
    /// A program that failed.
    struct Failure: Error {
        let text: String
    }

    /// Runs `body` with a folder of its own.
    static func withFolder<R>(_ body: (URL) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// Runs a program and gives what it writes to stdout; an error if it does not end well.
    static func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
        try withFolder { folder in
            let files = try ["out", "err"].map { name in
                let file = folder.appending(path: name)
                _ = FileManager.default.createFile(atPath: file.path, contents: nil)
                return try FileHandle(forWritingTo: file)
            }
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = files[0]
            process.standardError = files[1]
            try process.run()
            process.waitUntilExit()
            let read = { (name: String) in [UInt8](try Data(contentsOf: folder.appending(path: name))) }
            guard process.terminationStatus == 0 else {
                throw Failure(text: "\(program) \(arguments): \(String(decoding: try read("err"), as: UTF8.self))")
            }
            return try read("out")
        }
    }

    /// What jpegtran makes of a picture.
    static func jpegtran(_ jpeg: [UInt8], _ arguments: String...) throws -> [UInt8] {
        try jpegtran(jpeg, arguments)
    }

    /// As above.
    static func jpegtran(_ jpeg: [UInt8], _ arguments: [String]) throws -> [UInt8] {
        try withFolder { folder in
            let file = folder.appending(path: "in.jpg")
            try Data(jpeg).write(to: file)
            return try run("/usr/bin/jpegtran", arguments + [file.path])
        }
    }
}
