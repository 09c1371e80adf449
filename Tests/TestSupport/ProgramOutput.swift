// SPDX-License-Identifier: Apache-2.0
internal import Foundation

package struct ProgramOutput: Sendable {
    /// Exit status, or the number of the signal that ended it.
    package let status: Int32
    package let bytes: [UInt8]
    package let errors: String
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Runs a program of `PATH` and blocks until it ends.
    package init(of arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        (status, bytes, errors) = try inTemporaryFolder { folder in
            // A file, because a full pipe without a reader would block the program.
            let file = URL(filePath: "\(folder)/errors")
            try Data().write(to: file)
            process.standardError = try FileHandle(forWritingTo: file)
            try process.run()
            let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
            process.waitUntilExit()
            return (process.terminationStatus, bytes, try String(contentsOf: file, encoding: .utf8))
        }
    }
}
