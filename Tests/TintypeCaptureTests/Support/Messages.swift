// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization

/// What a session logged.
final class Messages: Sendable {
    /// One line of the log.
    struct Line: Sendable {
        let level: Logger.Level
        let text: String
        let metadata: Logger.Metadata
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
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let line = Line(level: event.level, text: "\(event.message)", metadata: all)
            messages.lines.withLock { $0.append(line) }
        }
    }

    private let lines = Mutex<[Line]>([])

    var handler: any LogHandler { Handler(messages: self) }
    /// What people are meant to see: notices and what is more severe.
    var loud: [Line] { lines.withLock { $0 }.filter { $0.level >= .notice } }
    /// Lines of a level with these words.
    func count(_ level: Logger.Level, _ words: String) -> Int {
        lines.withLock { $0 }.count { $0.level == level && $0.text.contains(words) }
    }
}
