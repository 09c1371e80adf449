// SPDX-License-Identifier: Apache-2.0

/// How far a command is, on the last line of a terminal; nothing where stderr is none.
struct ProgressBar: Sendable {
    private let isShown: Bool

    init(isShown: Bool) { self.isShown = isShown && StandardStream.error.isTerminal }

    /// Shows how much is done, from 0 to 1 where that is known.
    func show(_ fraction: Double?, _ label: String) {
        guard isShown else { return }
        let width = SystemCalls.terminalWidth(of: StandardStream.error.descriptor) ?? 80
        // A terminal that does not take it is none of the command's failures.
        try? StandardStream.error.write("\r\(Self.line(fraction, label, width: width))\u{1B}[K")
    }

    /// Takes it away.
    func clear() {
        guard isShown else { return }
        try? StandardStream.error.write("\r\u{1B}[K")
    }

    /// Shows what `state` says while `work` goes on, five times a second, and takes it away in the end.
    func during<Value>(
        _ state: @escaping @Sendable () -> (fraction: Double?, label: String),
        _ work: () async throws -> Value
    ) async throws -> Value {
        defer { clear() }
        guard isShown else { return try await work() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    let state = state()
                    show(state.fraction, state.label)
                    try await Task.sleep(for: .milliseconds(200))
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
