// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

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
        let isPlain =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { !["\"", "=", " "].contains($0) && PrintableText.isSafe($0) }
        guard !isPlain else { return text }
        return "\"\(PrintableText.escaped(text) { ["\"", "\\"].contains($0) || !PrintableText.isSafe($0) })\""
    }
}
