// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// Progress of a command in the last line of a terminal; prints nothing if stderr is not one.
final class ProgressBar: Sendable {
    /// Minimum time between updates: more could not be read, and a slow terminal would delay the work.
    private static let pause = Duration.milliseconds(100)

    /// Time of the last update, shared by all bars because there is one terminal.
    private static let shown = Mutex<ContinuousClock.Instant?>(nil)
    let isShown: Bool

    init(isShown: Bool) { self.isShown = isShown && StandardStream.error.isTerminal }

    /// Shows the progress, at most once per ``pause``; `fraction` is 0 to 1, or nil if unknown.
    func update(_ fraction: Double?, _ label: @autoclosure () -> String) {
        guard isShown, isDue() else { return }
        let width = StandardStream.error.width ?? 80
        // Failure to write to the terminal is not a failure of the command.
        try? StandardStream.error.write(Array("\r\(Self.line(fraction, label(), width: width))\u{1B}[K".utf8))
    }

    private func isDue() -> Bool {
        Self.shown.withLock { shown in
            let now = ContinuousClock.now
            if let shown, now - shown < Self.pause { return false }
            shown = now
            return true
        }
    }

    func clear() {
        guard isShown else { return }
        Self.shown.withLock { $0 = nil }
        try? StandardStream.error.write(Array("\r\u{1B}[K".utf8))
    }

    /// Shows the time and the progress returned by `state`, twice a second while `work` runs, then clears it.
    func during<Value>(
        _ state: @escaping @Sendable () async -> (fraction: Double?, label: String)? = { nil },
        _ work: () async throws -> Value
    ) async throws -> Value {
        defer { clear() }
        guard isShown else { return try await work() }
        let start = ContinuousClock.now
        let show = { @Sendable in
            let state = await state()
            try Task.checkCancellation()
            let elapsed = SpokenDuration.text(ContinuousClock.now - start)
            self.update(state?.fraction, [state?.label, elapsed].compactMap(\.self).joined(separator: ", "))
        }
        try await show()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await Task.sleep(for: .milliseconds(500))
                    try await show()
                }
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    /// A bar beside the label, leaving the last column free, because some terminals wrap there.
    static func line(_ fraction: Double?, _ label: String, width: Int) -> String {
        let room = width - label.count - 4
        guard let fraction, room >= 5 else { return String(label.prefix(max(0, width - 1))) }
        let done = Int((min(max(fraction, 0), 1) * Double(room)).rounded(.down))
        return "[\(String(repeating: "#", count: done))\(String(repeating: "-", count: room - done))] \(label)"
    }
}
