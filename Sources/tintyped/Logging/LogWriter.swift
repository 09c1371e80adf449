// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Writes log lines in order on a separate thread, so that logging never blocks.
///
/// If the reader stops reading, up to ``capacity`` bytes are queued, or one longer line. Further lines are dropped
/// until the queue is empty; a line then reports their number.
final class LogWriter: Sendable {
    /// 64 KiB, some hundreds of lines.
    static let capacity = 64 << 10

    private struct State {
        var waiting = 0
        var lost = 0
    }

    private let state = Mutex(State())
    private let thread = WorkerThreads(name: "tt-log", count: 1) {}
    private let put: @Sendable (LogLine) -> Void
    private let reader: LogLine.Reader

    /// `put` writes a line on the writer's thread, and may block.
    init(for reader: LogLine.Reader, put: @escaping @Sendable (LogLine) -> Void = { StandardError.write($0.text) }) {
        (self.reader, self.put) = (reader, put)
    }

    /// Queues `line`, or counts it as dropped; any thread, never blocks.
    func write(_ line: LogLine) {
        let size = line.size
        let isTaken = state.withLock { state in
            // With an empty queue, no later write would report the loss, so the line is always accepted.
            guard state.waiting == 0 || state.lost == 0 && state.waiting + size <= Self.capacity else {
                state.lost += 1
                return false
            }
            state.waiting += size
            return true
        }
        guard isTaken else { return }
        thread.submit { [self] _ in
            put(line)
            let lost = state.withLock { state in
                state.waiting -= size
                guard state.waiting == 0 else { return 0 }
                defer { state.lost = 0 }
                return state.lost
            }
            guard lost > 0 else { return }
            let text = CountText.text(lost, "log line was", "log lines were") + " lost because nothing read them"
            put(LogLine(.warning, text, for: reader))
        }
    }

    /// Blocks up to `limit`, by the system clock, until all queued lines are written; for use before exit.
    func flush(within limit: Duration) {
        let isWritten = DispatchSemaphore(value: 0)
        thread.submit { _ in isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .nanoseconds(Int(limit.nanosecondCount)))
    }
}

/// The native socket of journald, for log lines with fields ([Native Journal
/// Protocol](https://systemd.io/JOURNAL_NATIVE_PROTOCOL)).
struct JournalSocket: Sendable {
    var socket = UnixDatagram(address: "/run/systemd/journal/socket")
    /// Writes lines that the socket does not accept, and may block.
    var otherwise: @Sendable (_ line: String) -> Void = { StandardError.write($0) }

    /// Sends a journal entry, or writes to standard error if the socket does not accept it; blocks.
    ///
    /// That is the case if nothing listens, if the socket stays full, or if the entry exceeds the datagram size. A
    /// critical line is the last of the process and always goes to standard error, which journald assigns to the
    /// service even if the process has exited.
    func write(_ line: LogLine) {
        if line.level < .critical, socket.failure(ofSending: Self.entry(of: line)) == nil { return }
        otherwise(line.text)
    }

    static func entry(of line: LogLine) -> [UInt8] {
        let priority = "\(LogLine.priority(line.level))"
        let fields = [("MESSAGE", line.message), ("PRIORITY", priority), ("SYSLOG_IDENTIFIER", "tintyped")]
        let metadata = line.metadata.sorted { $0.key < $1.key }.map { (field($0.key), $0.value) }
        return (fields + metadata).flatMap { name, value -> [UInt8] in
            let bytes = Array(value.utf8)
            guard bytes.contains(0x0A) else { return Array("\(name)=".utf8) + bytes + [0x0A] }
            let length = (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
            return Array("\(name)\n".utf8) + length + bytes + [0x0A]
        }
    }

    /// `TINTYPE_` and the key in capital letters, with four exceptions.
    static func field(_ key: String) -> String {
        ["camera": "CAMERA", "state": "STATE", "code": "ERROR_CODE", MessageID.key: "MESSAGE_ID"][key]
            ?? "TINTYPE_" + key.uppercased().replacing("-", with: "_")
    }
}

enum StandardError {
    /// One write(2), so that lines of several processes do not mix; a line that cannot be written is lost.
    ///
    /// Blocks while a pipe is full, even one made non-blocking; ``LogWriter`` calls it on its own thread. `descriptor`
    /// can be that of standard output.
    static func write(_ line: String, to descriptor: CInt = STDERR_FILENO) {
        let bytes = Array(line.utf8) + [0x0A]
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 {
                written += count
            } else if count < 0, errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
            } else if count < 0, errno != EINTR {
                return
            }
        }
    }

    /// True if `stream` (`JOURNAL_STREAM`) names the file of `descriptor`: device and inode (systemd.exec(5)).
    static func isJournal(_ stream: String?, descriptor: CInt = STDERR_FILENO) -> Bool {
        guard let parts = stream?.split(separator: ":"), parts.count == 2 else { return false }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return UInt64(parts[0]) == UInt64(status.st_dev) && UInt64(parts[1]) == UInt64(status.st_ino)
    }
}

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
