// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

/// Writes log lines to standard error: for journald with a priority, for people with time and level.
///
/// A line is the message and its metadata as `key=value`, sorted by key.
struct JournalLogHandler: LogHandler {
    /// The reader of the lines.
    enum Reader: Hashable, Sendable {
        /// journald, which adds the time itself and takes the level from a prefix such as `<6>` (sd-daemon(3)).
        case journal
        /// A person or a file.
        case person
    }

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level
    private let reader: Reader
    private let write: @Sendable (String) -> Void

    /// A handler for `reader` that gives its lines, without newline, to `write`.
    init(reader: Reader, level: Logger.Level, write: @escaping @Sendable (String) -> Void) {
        self.reader = reader
        logLevel = level
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error, all["error"] == nil { all["error"] = "\(error)" }
        let pairs = all.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }
        write(Self.line(event.level, "\(event.message)", for: reader) + pairs.joined())
    }

    /// `text` as the value of a key: in quotes where it is empty or has spaces, quotes, `=` or unsafe characters, so that
    /// nothing in it can end the line or look like another key.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { !["\"", "=", " "].contains($0) && PrintableText.isSafe($0) }
        guard !isPlain else { return text }
        return "\"\(PrintableText.escaped(text) { ["\"", "\\"].contains($0) || !PrintableText.isSafe($0) })\""
    }

    /// A line of `level` for `reader`, without metadata.
    static func line(_ level: Logger.Level, _ message: String, for reader: Reader) -> String {
        switch reader {
        case .journal: "<\(priority(level))>\(PrintableText.line(message))"
        case .person: "\(Timestamp.now()) \(level) \(PrintableText.line(message))"
        }
    }

    /// The priority of syslog(3) for a level.
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
