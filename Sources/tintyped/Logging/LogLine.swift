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
