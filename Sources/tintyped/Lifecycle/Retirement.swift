// SPDX-License-Identifier: Apache-2.0

/// The end of something that another configuration gives up; for one task that waits for it.
struct Retirement: Sendable {
    private let stream = AsyncStream.makeStream(of: Never.self)

    func retire() { stream.continuation.finish() }

    /// Does all of `works` until one of them ends, as at graceful shutdown, or it is given up; then they are cancelled.
    func whileWanted(_ works: [@Sendable () async -> Void]) async {
        await withTaskGroup(of: Void.self) { group in
            for work in works { group.addTask { await work() } }
            group.addTask { for await _ in stream.stream {} }
            await group.next()
            group.cancelAll()
        }
    }
}
