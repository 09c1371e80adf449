// SPDX-License-Identifier: Apache-2.0
internal import TestSupport

/// What a program wrote to its standard output; throws unless it ended with status 0.
@discardableResult
func shellOutput(_ arguments: String...) throws -> String {
    let result = try ProgramOutput(of: arguments)
    guard result.status == 0 else {
        throw CommandFailure(command: arguments.joined(separator: " "), status: result.status, errors: result.errors)
    }
    return result.text
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
    var errors: String
}
