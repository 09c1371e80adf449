// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TintypeSpool

/// The machine's files, of which the steps of storing pictures are noted in their order, each with the rows that the
/// catalog has by then where that matters; one flush of a folder can be held up.
final class NotedFiles: FileLayer {
    private struct State {
        var steps: [String] = []
        var flushed: [String] = []
        var isHolding = false
        var isHeld = false
    }

    let files = SystemFiles()
    private let root: String
    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    /// The files of the spool in the folder `root`.
    init(_ root: String) { self.root = root }

    /// What was done for pictures since ``note()``.
    var steps: [String] { state.withLock(\.steps) }
    /// The folders that were flushed since then, and the files other than pictures.
    var flushed: [String] { state.withLock(\.flushed) }
    /// Whether a flush is held up.
    var isHeld: Bool { state.withLock(\.isHeld) }

    /// Forgets what was noted.
    func note() { state.withLock { $0 = State() } }

    /// Holds the next flush of a folder up until ``release()``.
    func hold() { state.withLock { $0.isHolding = true } }

    func release() { gate.signal() }

    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        try files.write(bytes, to: file)
        if file.path.hasSuffix(".jpg") { add("write") }
    }

    func syncData(of file: OpenFile) throws(FileError) {
        try files.syncData(of: file)
        if file.path.hasSuffix(".jpg") { add("flush") } else { state.withLock { $0.flushed.append(file.path) } }
    }

    func move(_ path: String, to other: String) throws(FileError) {
        try files.move(path, to: other)
        if other.hasSuffix(".jpg") { add("rename") }
    }

    func replace(_ other: String, by path: String) throws(FileError) {
        if other.hasSuffix("/latest.jpg") { add("latest of \(rows)") }
        try files.replace(other, by: path)
    }

    func syncFolder(_ path: String) throws(FileError) {
        if path.hasPrefix("\(root)/") { add("flush its folder beside \(rows)") }
        let isHeld = state.withLock { state in
            state.flushed.append(path)
            state.isHeld = state.isHolding
            state.isHolding = false
            return state.isHeld
        }
        if isHeld { gate.wait() }
        try files.syncFolder(path)
    }

    private func add(_ step: String) { state.withLock { $0.steps.append(step) } }

    /// The drivers' numbers of the frames that have rows, as another program reads them now.
    private var rows: String {
        let query = "SELECT group_concat(sequence, ' ') FROM (SELECT sequence FROM frame ORDER BY sequence)"
        return (try? String(catalogOutput("\(root)/catalog.sqlite", query).dropLast())) ?? "an unreadable catalog"
    }
}
