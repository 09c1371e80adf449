// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization

/// A logger that keeps what it is told.
final class MessageLog: Sendable {
    private final class Messages: Sendable {
        let all = Mutex<[(level: Logger.Level, text: String)]>([])
    }

    private struct Handler: LogHandler {
        let messages: Messages
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            messages.all.withLock { $0.append((event.level, "\(event.message)")) }
        }
    }

    private let messages = Messages()

    var logger: Logger {
        let messages = messages
        return Logger(label: "kept") { _ in Handler(messages: messages) }
    }

    /// What was said at level `error`.
    var errors: [String] { messages.all.withLock { $0.filter { $0.level == .error }.map(\.text) } }

    /// What was said at level `warning`.
    var warnings: [String] { messages.all.withLock { $0.filter { $0.level == .warning }.map(\.text) } }
}
