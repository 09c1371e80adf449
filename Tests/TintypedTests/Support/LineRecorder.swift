// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization

@testable import tintyped

/// Keeps log lines, as `level message key=value`.
final class LineRecorder: Sendable {
    private let kept = Mutex<[String]>([])
    private let feed = AsyncStream.makeStream(of: String.self)

    var lines: [String] { kept.withLock { $0 } }

    /// Every line as it comes, for one task.
    var stream: AsyncStream<String> { feed.stream }

    var logger: Logger {
        Logger(label: "test") { [self] _ in
            JournalLogHandler(reader: .journal, level: .trace) { line in
                self.kept.withLock { $0.append(line) }
                self.feed.continuation.yield(line)
            }
        }
    }
}
