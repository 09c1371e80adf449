// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import TintypeModel

@testable import tintyped

/// Keeps log lines, as `level message key=value`.
final class LineRecorder: Sendable {
    private let kept = Mutex<[String]>([])
    private let ids = Mutex<[String?]>([])
    private let feed = AsyncStream.makeStream(of: String.self)

    var lines: [String] { kept.withLock { $0 } }

    /// The message id of each line.
    var messageIDs: [MessageID?] { ids.withLock { $0.map { $0.flatMap(MessageID.init) } } }

    /// Every line as it comes, for one task.
    var stream: AsyncStream<String> { feed.stream }

    var logger: Logger {
        Logger(label: "test") { [self] _ in
            JournalLogHandler(reader: .journal, logLevel: .trace) { line in
                self.kept.withLock { $0.append(line.text) }
                self.ids.withLock { $0.append(line.metadata[MessageID.key]) }
                self.feed.continuation.yield(line.text)
            }
        }
    }
}
