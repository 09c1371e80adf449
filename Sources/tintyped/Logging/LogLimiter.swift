// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Limits repeated log lines: writes ``most`` lines per cause within ``span``, then one line with the number of others.
///
/// Only warnings and errors have a cause (``JournalLogHandler``). Any thread; never blocks.
final class LogLimiter: Sendable {
    static let most = 10
    static let span = Duration.seconds(30)
    /// With more causes, expired ones are dropped and new ones are counted by source location alone.
    ///
    /// Bounds memory, since clients can have any number of addresses.
    private static let mostCauses = 256

    private struct Burst {
        let began: MonotonicTime
        var count = 0
        var last: LogLine?
    }

    private let bursts = Mutex<[[String]: Burst]>([:])
    private let clock: any MonotonicClock
    private let put: @Sendable (LogLine) -> Void

    init(clock: any MonotonicClock, put: @escaping @Sendable (LogLine) -> Void) {
        (self.clock, self.put) = (clock, put)
    }

    func write(_ line: LogLine) {
        guard var cause = line.cause else { return put(line) }
        let now = clock.now
        let (burst, key) = bursts.withLock { bursts in
            if bursts.count > Self.mostCauses {
                bursts = bursts.filter { !Self.isOver($0.value, at: now) }
                if bursts.count > Self.mostCauses, bursts[cause] == nil { cause = [cause[0]] }
            }
            var burst = bursts[cause] ?? Burst(began: now)
            if Self.isOver(burst, at: now) { burst = Burst(began: now) }
            burst.count += 1
            if burst.count > Self.most { burst.last = line }
            bursts[cause] = burst
            return (burst, cause)
        }
        if burst.count <= Self.most { put(line) }
        if burst.count == Self.most + 1 {
            _ = clock.setAlarm(burst.began + Self.span) { [self] in
                if let burst = bursts.withLock({ $0.removeValue(forKey: key) }) { writeSummary(of: burst) }
            }
        }
    }

    /// Writes the summaries of held-back lines, before the process exits.
    func flush() {
        let held = bursts.withLock { bursts in
            defer { bursts = [:] }
            return bursts.values.filter { $0.last != nil }
        }
        for burst in held { writeSummary(of: burst) }
    }

    /// False for a burst with held-back lines, which ends with its alarm.
    private static func isOver(_ burst: Burst, at now: MonotonicTime) -> Bool {
        burst.last == nil && now - burst.began >= span
    }

    private func writeSummary(of burst: Burst) {
        guard var line = burst.last else { return }
        let count = burst.count - Self.most
        line.message = """
            \(CountText.text(count, "more line")) of this kind within \(SpokenDuration.text(Self.span)); \
            the last: \(line.message)
            """
        put(line)
    }
}
