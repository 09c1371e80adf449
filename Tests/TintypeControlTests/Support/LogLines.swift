// SPDX-License-Identifier: Apache-2.0
import Logging

/// Log lines as they come, as `level message`.
struct LogLines {
    let stream: AsyncStream<String>
    let logger: Logger

    init() {
        let (stream, feed) = AsyncStream.makeStream(of: String.self)
        self.stream = stream
        logger = Logger(label: "test") { _ in Handler(feed: feed) }
    }

    private struct Handler: LogHandler {
        let feed: AsyncStream<String>.Continuation
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { feed.yield("\(event.level) \(event.message)") }
    }
}
