// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// How far a command is, on the last line of a terminal; nothing where stderr is none.
final class ProgressBar: Sendable {
    /// The shortest time between two lines: more of them cannot be read, and a slow terminal holds up the work.
    private static let pause = Duration.milliseconds(100)

    /// When the last line was shown: there is one terminal, however many bars.
    private static let shown = Mutex<ContinuousClock.Instant?>(nil)
    let isShown: Bool

    init(isShown: Bool) { self.isShown = isShown && StandardStream.error.isTerminal }

    /// Shows how much is done, from 0 to 1 where that is known, unless the last line is new enough.
    func show(_ fraction: Double?, _ label: @autoclosure () -> String) {
        guard isShown, isDue() else { return }
        let width = StandardStream.error.width ?? 80
        // A terminal that does not take it is none of the command's failures.
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

    /// Shows what `state` says while `work` goes on, twice a second, and takes it away in the end.
    func during<Value>(
        _ state: @escaping @Sendable () async -> (fraction: Double?, label: String),
        _ work: () async throws -> Value
    ) async throws -> Value {
        defer { clear() }
        guard isShown else { return try await work() }
        let first = await state()
        show(first.fraction, first.label)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await Task.sleep(for: .milliseconds(500))
                    let state = await state()
                    try Task.checkCancellation()
                    self.show(state.fraction, state.label)
                }
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    /// A bar as long as there is room for beside the label, one column being left free: at the last one some terminals
    /// go on to the next line.
    static func line(_ fraction: Double?, _ label: String, width: Int) -> String {
        let room = width - label.count - 4
        guard let fraction, room >= 5 else { return String(label.prefix(max(0, width - 1))) }
        let done = Int((min(max(fraction, 0), 1) * Double(room)).rounded(.down))
        return "[\(String(repeating: "#", count: done))\(String(repeating: "-", count: room - done))] \(label)"
    }
}
