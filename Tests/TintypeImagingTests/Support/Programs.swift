// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing

/// Programs that are not ours, which judge pictures.
enum Programs {
    /// What a program wrote to its standard output; that it fails or complains is an issue.
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

    /// What jpegtran makes of a picture.
    static func jpegtran(_ picture: [UInt8], _ arguments: [String]) throws -> [UInt8] {
        try withFile(picture) { path in try run(["jpegtran"] + arguments + [path]) }
    }

    /// Every tag that exiftool reads in a picture, numbers as such, and what it warns of under `Warning`.
    static func exiftool(_ picture: [UInt8]) throws -> [String: String] {
        let output = try withFile(picture) { path in
            try run(["exiftool", "-json", "-n", "-a", "-validate", "-warning", "-error", "-all", path])
        }
        let list = try JSONSerialization.jsonObject(with: Data(output)) as? [[String: Any]]
        return try #require(list?.first).mapValues { "\($0)" }
    }

    /// The picture with other EXIF data, as exiftool writes it.
    static func exiftool(_ picture: [UInt8], writing tags: [String]) throws -> [UInt8] {
        try withFile(picture) { path in
            for tag in tags { _ = try run(["exiftool", "-q", "-overwrite_original", "-n", tag, path]) }
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        }
    }
}
