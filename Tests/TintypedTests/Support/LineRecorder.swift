// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import TintypeModel

@testable import tintyped

final class LineRecorder: Sendable {
    private let kept = Mutex<[LogLine]>([])
    private let reader: LogLine.Reader
    private let level: Logger.Level

    init(_ reader: LogLine.Reader = .journal, level: Logger.Level = .trace) {
        (self.reader, self.level) = (reader, level)
    }

    var logger: Logger {
        Logger(label: "test") { [self] _ in
            JournalLogHandler(reader: reader, logLevel: level) { line in self.kept.withLock { $0.append(line) } }
        }
    }

    var lines: [String] { kept.withLock { $0.map(\.text) } }

    var messageIDs: [MessageID] {
        kept.withLock { $0.compactMap { $0.metadata[MessageID.key].flatMap(MessageID.init) } }
    }
}
