// SPDX-License-Identifier: Apache-2.0
internal import TestSupport

/// Runs a program and returns its standard output; throws unless it exits with 0.
@discardableResult
func shellOutput(_ arguments: String...) throws -> String {
    let result = try ProgramOutput(of: arguments)
    guard result.status == 0 else {
        throw CommandFailure(command: arguments.joined(separator: " "), status: result.status, errors: result.errors)
    }
    return result.text
}

/// Runs a statement in `sqlite3`, with a timeout for a daemon that is writing or closing.
@discardableResult
func catalogOutput(_ path: String, _ statement: String) throws -> String {
    try shellOutput("sqlite3", "-cmd", ".timeout 600000", path, statement)
}

struct CommandFailure: Error {
    var command: String
    var status: Int32
    var errors: String
}
