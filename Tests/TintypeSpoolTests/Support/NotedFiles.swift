// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TintypeSpool

/// The machine's files with a record of the steps of storing pictures; a flush of a folder can be held.
final class NotedFiles: FileLayer {
    private struct State {
        var steps: [String] = []
        var flushed: [String] = []
        var isHolding = false
    }

    let files = SystemFiles()
    private let root: String?
    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    /// Makes files of a spool; with its folder `root`, also records the catalog's rows at each flush of a folder and
    /// swap of `latest.jpg`.
    init(_ root: String? = nil) { self.root = root }

    /// Steps for pictures since ``note()``.
    var steps: [String] { state.withLock(\.steps) }
    /// Number of flushed pictures since then.
    var pictureFlushes: Int { steps.count { $0 == "flush" } }
    /// Flushed folders and files other than pictures since then.
    var flushed: [String] { state.withLock(\.flushed) }

    func note() { state.withLock { $0 = State() } }

    /// Clears the record and holds the next flush of a folder until ``release()``.
    func hold() { state.withLock { $0 = State(isHolding: true) } }

    func release() { gate.signal() }

    func begin(_ call: FileCall) {
        if call.verb == "replace", call.path.hasSuffix("/latest.jpg") { add("latest of") }
        guard call.verb == "flush the folder" else { return }
        if let root, call.path.hasPrefix("\(root)/") { add("flush its folder beside") }
        let isHeld = state.withLock { state in
            state.flushed.append(call.path)
            defer { state.isHolding = false }
            return state.isHolding
        }
        if isHeld { gate.wait() }
    }

    func end(_ call: FileCall) {
        guard ["write", "flush", "rename"].contains(call.verb) else { return }
        state.withLock { state in
            if call.path.hasSuffix(".jpg") {
                state.steps.append(call.verb)
            } else if call.verb == "flush" {
                state.flushed.append(call.path)
            }
        }
    }

    /// Records a step with the sequence numbers of all rows, as another program reads them now.
    private func add(_ step: String) {
        guard let root else { return }
        let query = "SELECT group_concat(sequence, ' ') FROM (SELECT sequence FROM frame ORDER BY sequence)"
        let rows = (try? catalogOutput("\(root)/catalog.sqlite", query).dropLast()) ?? "an unreadable catalog"
        state.withLock { $0.steps.append("\(step) \(rows)") }
    }
}
