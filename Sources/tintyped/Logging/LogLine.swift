// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

struct LogLine: Sendable {
    enum Reader: Sendable {
        /// journald, which adds the time itself and takes the level from a prefix such as `<6>` (sd-daemon(3)).
        case journal
        /// A person or a file, for whom a line has the time of this clock.
        case person(any MonotonicClock)
    }

    /// The trouble that causes a line.
    struct Cause: Hashable, Sendable {
        /// The place in the code.
        let place: String
        /// What it tells of; none for all that comes from that place.
        var subjects: [String] = []
    }

    let level: Logger.Level
    /// The priority for journald; time and level for people.
    let prefix: String
    /// The message with its metadata, without a newline.
    var message: String
    /// The metadata for the fields of the journal; empty for people.
    var metadata: [String: String] = [:]
    /// The same for all lines that one trouble causes, as far as ``LogLimiter`` may hold them back; else nil.
    var cause: Cause?

    /// A line of `level` for `reader`, without metadata.
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

    /// The bytes that it takes while it waits, its newline included.
    var size: Int {
        prefix.utf8.count + message.utf8.count + 1 + metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    /// The priority of syslog(3) for a level.
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
