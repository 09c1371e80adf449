// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// What a program wrote to its standard output; throws unless it ended with status 0.
@discardableResult
func shellOutput(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw CommandFailure(command: arguments.joined(separator: " "), status: process.terminationStatus)
    }
    return String(decoding: output, as: UTF8.self)
}

/// What `sqlite3` answers to a statement, with patience for a daemon that just writes or closes.
@discardableResult
func catalogOutput(_ path: String, _ statement: String) throws -> String {
    try shellOutput("sqlite3", "-cmd", ".timeout 600000", path, statement)
}

/// A program that failed.
struct CommandFailure: Error {
    var command: String
    var status: Int32
}
