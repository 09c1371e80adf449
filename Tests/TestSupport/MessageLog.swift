// SPDX-License-Identifier: Apache-2.0
package import Logging
package import Synchronization

/// Logger that records its lines.
package final class MessageLog: Sendable {
    package struct Line: Sendable {
        package let level: Logger.Level
        package let text: String
        package let metadata: Logger.Metadata
    }

    private struct Handler: LogHandler {
        let owner: MessageLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            owner.keep(Line(level: event.level, text: "\(event.message)", metadata: all))
        }
    }

    /// Called with each line, on the thread that logs it.
    package let onLine = Mutex<@Sendable (Line) -> Void>({ _ in })

    private let kept = Mutex<[Line]>([])
    private let feed = AsyncStream.makeStream(of: String.self)

    package init() {}

    package var logger: Logger { Logger(label: "test") { [self] _ in Handler(owner: self) } }

    package var lines: [Line] { kept.withLock(\.self) }

    /// Lines as they arrive, as `level message`; for one task only.
    package var stream: AsyncStream<String> { feed.stream }

    /// Lines at level notice and above.
    package var loud: [Line] { lines.filter { $0.level >= .notice } }

    /// Texts at level error.
    package var errors: [String] { lines.filter { $0.level == .error }.map(\.text) }

    /// Texts at level warning.
    package var warnings: [String] { lines.filter { $0.level == .warning }.map(\.text) }

    /// Number of lines at `level` that contain `words`.
    package func count(_ level: Logger.Level, _ words: String) -> Int {
        lines.count { $0.level == level && $0.text.contains(words) }
    }

    private func keep(_ line: Line) {
        kept.withLock { $0.append(line) }
        feed.continuation.yield("\(line.level) \(line.text)")
        onLine.withLock(\.self)(line)
    }
}

extension Logger {
    /// Logger that discards all lines.
    package static let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
}
