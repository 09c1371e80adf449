// SPDX-License-Identifier: Apache-2.0

/// Holds whoever waits until it is opened or the waiting task is cancelled.
struct Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let feed: AsyncStream<Void>.Continuation

    init() { (stream, feed) = AsyncStream.makeStream(of: Void.self) }

    func open() { feed.finish() }
    func wait() async { for await _ in stream {} }
}
