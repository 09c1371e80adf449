// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing

enum Programs {
    /// Runs a program and returns its standard output; a failure or any error output is an issue.
    static func run(_ arguments: [String]) throws -> [UInt8] {
        let result = try ProgramOutput(of: arguments)
        #expect(result.status == 0 && result.errors.isEmpty, "\(arguments): \(result.errors)")
        return result.bytes
    }

    /// Calls `body` with the path of a file that holds `bytes`.
    static func withFile<R>(_ bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
        try inTemporaryFolder { folder in
            let path = "\(folder)/picture.jpg"
            try Data(bytes).write(to: URL(filePath: path))
            return try body(path)
        }
    }

    static func jpegtran(_ picture: [UInt8], _ arguments: [String]) throws -> [UInt8] {
        try withFile(picture) { path in try run(["jpegtran"] + arguments + [path]) }
    }

    /// Reads every tag of a picture with exiftool; numbers are unformatted, warnings are under `Warning`.
    static func exiftool(_ picture: [UInt8]) throws -> [String: String] {
        let output = try withFile(picture) { path in
            try run(["exiftool", "-json", "-n", "-a", "-validate", "-warning", "-error", "-all", path])
        }
        let list = try JSONSerialization.jsonObject(with: Data(output)) as? [[String: Any]]
        return try #require(list?.first).mapValues { "\($0)" }
    }

    /// Changes the EXIF tags of a picture with exiftool.
    static func exiftool(_ picture: [UInt8], writing tags: [String]) throws -> [UInt8] {
        try withFile(picture) { path in
            for tag in tags { _ = try run(["exiftool", "-q", "-overwrite_original", "-n", tag, path]) }
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        }
    }
}
