// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc

/// SIGINT, as of Ctrl-C, for a command that has something to do before it ends.
enum Interruption {
    /// The exit status of a command that was interrupted, as shells give it: 128 and the number of SIGINT.
    static let status: Int32 = 128 + SIGINT

    /// Awaits `task`, and cancels it where the process is interrupted.
    static func cancelling(_ task: Task<Void, any Error>) async throws {
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { task.cancel() }
        source.resume()
        defer { source.cancel() }
        try await task.value
    }
}
