// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Exit status and output of a program that has ended.
package struct ProgramOutput: Sendable {
    /// Its exit status, or the number of the signal that ended it.
    package let status: Int32
    /// Its standard output.
    package let bytes: [UInt8]
    /// Its standard error.
    package let errors: String
    /// Its standard output as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Runs a program of `PATH` and blocks until it ends.
    package init(of arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        (status, bytes, errors) = try inTemporaryFolder { folder in
            // A file: a pipe that nobody reads yet could stop the program.
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
