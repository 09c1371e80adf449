// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The end of a command from outside, by Ctrl-C, `timeout` or a terminal that is closed, where it has something to do before.
enum Interruption {
    /// The exit status after Ctrl-C, as shells give it: 128 and the number of SIGINT.
    static let usualStatus: Int32 = 128 + SIGINT
    /// The exit status after the signal that came: 128 and its number.
    static var status: Int32 { 128 + signal.load(ordering: .relaxed) }

    private static let signal = Atomic(SIGINT)

    /// Awaits `task`, and cancels it at SIGINT, SIGTERM and SIGHUP.
    static func cancelling(_ task: Task<Void, any Error>) async throws {
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal.store(number, ordering: .relaxed)
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        try await task.value
    }
}
