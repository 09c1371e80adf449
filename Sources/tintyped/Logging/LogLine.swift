// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

struct LogLine: Sendable {
    enum Reader: Sendable {
        /// journald, which adds the time and reads the level from a prefix such as `<6>` (sd-daemon(3)).
        case journal
        /// A person or a file; lines have the time of this clock.
        case person(any MonotonicClock)
    }

    let level: Logger.Level
    /// Priority for journald; time and level for people.
    let prefix: String
    /// With metadata, without a newline.
    var message: String
    /// Empty for people.
    var metadata: [String: String] = [:]
    /// Source location and subjects, for ``LogLimiter``; nil if it must not hold the line back.
    var cause: [String]?

    init(_ level: Logger.Level, _ message: String, for reader: Reader) {
        self.level = level
        self.message = PrintableText.line(message)
        prefix =
            switch reader {
            case .journal: "<\(Self.priority(level))>"
            case .person(let clock): "\(clock.wall) \(level) "
            }
    }

    var text: String { prefix + message }

    /// In the queue, in bytes, including the newline.
    var size: Int {
        prefix.utf8.count + message.utf8.count + 1 + metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    /// syslog(3).
    static func priority(_ level: Logger.Level) -> Int {
        [.critical: 2, .error: 3, .warning: 4, .notice: 5, .info: 6][level] ?? 7
    }
}

/// Formats log lines: with priority and fields for journald, with time and level for people.
///
/// A line is the message, followed by metadata as `key=value`, sorted by key.
struct JournalLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    let reader: LogLine.Reader
    var logLevel: Logger.Level
    let write: @Sendable (LogLine) -> Void

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error, all["error"] == nil { all["error"] = "\(error)" }
        let values = all.mapValues { "\($0)" }
        let pairs = values.filter { $0.key != MessageID.key }.sorted { $0.key < $1.key }
        var line = LogLine(event.level, "\(event.message)", for: reader)
        line.message += pairs.map { " \($0.key)=\(Self.quoted($0.value))" }.joined()
        if case .journal = reader { line.metadata = values }
        if [.warning, .error].contains(event.level) {
            // Not the text, whose numbers may differ; the client, so that it cannot suppress refusals of others.
            let subjects = ["camera", "schedule", "hook", "client", "part"].map { values[$0] ?? "" }
            line.cause = ["\(event.file):\(event.line)"] + subjects
        }
        write(line)
    }

    /// Quotes a value that is empty or has spaces, quotes, `=` or unsafe characters, which could imitate another key.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { !["\"", "=", " "].contains($0) && PrintableText.isSafe($0) }
        guard !isPlain || text.isEmpty else { return text }
        return "\"\(PrintableText.escaped(text) { ["\"", "\\"].contains($0) || !PrintableText.isSafe($0) })\""
    }
}
