// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Spools that are asked concurrently: a disk that does not respond does not affect the others.
final class FrameStores: Sendable {
    typealias Ask<Value> = @Sendable (any FrameStore, _ deadline: MonotonicTime) async throws(Problem) -> Value

    /// Time limit of finding a frame.
    static let lookUp = Duration.seconds(5)
    /// Time limit of a page of frames or a thumbnail.
    static let reading = Duration.seconds(10)
    /// The same for a spool that timed out at its last page: a list of many pages does not wait for it at each.
    private static let lateReading = Duration.seconds(1)
    static let none = Problem(.internalError, "There is no spool to ask.", remedy: "Restart tintyped.")

    let all: [any FrameStore]
    private let clock: any MonotonicClock
    /// Names of spools that timed out at their last page.
    private let late = Mutex<Set<String>>([])

    init(_ all: [any FrameStore], by clock: any MonotonicClock) { (self.all, self.clock) = (all, clock) }

    /// The store of this name, all stores for nil; throws `not-found`.
    func named(_ name: String?) throws(Problem) -> [any FrameStore] {
        guard let name else { return all }
        if let spool = all.first(where: { $0.name == name }) { return [spool] }
        throw .noSpool(name, among: all.map(\.name))
    }

    private func answer<Value: Sendable>(
        of spool: any FrameStore,
        within limit: Duration,
        isPage: Bool,
        _ ask: Ask<Value>
    ) async -> Result<Value, Problem> {
        let isLate = isPage && late.withLock { $0.contains(spool.name) }
        do throws(Problem) {
            let value = try await ask(spool, clock.now + (isLate ? Self.lateReading : limit))
            if isPage { _ = late.withLock { $0.remove(spool.name) } }
            return .success(value)
        } catch {
            if isPage, error.code == .deadlineExceeded { _ = late.withLock { $0.insert(spool.name) } }
            return .failure(error)
        }
    }

    /// Passes each answer with the index of its store to `goesOn` until that returns false, which cancels the others.
    func ask<Value: Sendable>(
        _ spools: [any FrameStore]? = nil,
        within limit: Duration,
        isPage: Bool = false,
        _ ask: @escaping Ask<Value>,
        _ goesOn: (Int, Result<Value, Problem>) -> Bool
    ) async {
        await withTaskGroup(of: (Int, Result<Value, Problem>).self) { group in
            for (index, spool) in (spools ?? all).enumerated() {
                group.addTask { (index, await self.answer(of: spool, within: limit, isPage: isPage, ask)) }
            }
            for await (index, answer) in group where !goesOn(index, answer) {
                group.cancelAll()
                break
            }
        }
    }

    /// Answers of these stores or all, in order, and the names of those that failed, nil for none; throws if all did.
    func each<Value: Sendable>(
        _ spools: [any FrameStore]? = nil,
        within limit: Duration = reading,
        _ ask: @escaping Ask<Value>
    ) async throws(Problem) -> (values: [Value], unavailable: [String]?) {
        var values: [Int: Value] = [:]
        var failures: [Int: Problem] = [:]
        await self.ask(spools, within: limit, isPage: limit == Self.reading, ask) { index, answer in
            switch answer {
            case .success(let value): values[index] = value
            case .failure(let problem): failures[index] = problem
            }
            return true
        }
        if values.isEmpty, let failure = Self.first(of: failures) { throw failure }
        let unavailable = failures.keys.sorted().map { (spools ?? all)[$0].name }
        return (values.sorted { $0.key < $1.key }.map(\.value), unavailable.isEmpty ? nil : unavailable)
    }

    /// That of the first store, whichever was the first to answer.
    static func first(of failures: [Int: Problem]) -> Problem? { failures.min { $0.key < $1.key }?.value }

    /// Throws `frame-not-found` only if all stores do: one that does not respond may have the frame.
    func first<Value: Sendable>(
        within limit: Duration = lookUp,
        _ ask: @escaping Ask<Value>
    ) async throws(Problem) -> Value {
        var value: Value?
        var failures: [Int: Problem] = [:]
        await self.ask(within: limit, ask) { index, answer in
            switch answer {
            case .success(let found): value = found
            case .failure(let problem): failures[index] = problem
            }
            return value == nil
        }
        if let value { return value }
        let others = failures.filter { $0.value.code != .frameNotFound }
        throw Self.first(of: others) ?? Self.first(of: failures) ?? Self.none
    }
}

extension Problem {
    static func noSpool(_ name: String, among names: [String]) -> Problem {
        let remedy = Spelling.remedy(for: name, among: names, otherwise: "Restart tintyped.")
        return Problem(.notFound, "There is no spool “\(name)”.", remedy: remedy)
    }
}

extension FramePage {
    /// The merged page ends with the first partial page: later entries are not known yet.
    init(merging pages: [FramePage], _ order: FrameOrder, limit: Int) {
        func isBefore(_ one: FrameID, _ other: FrameID) -> Bool { order == .newest ? one > other : one < other }
        let end = pages.compactMap(\.next?.last).min(by: isBefore)
        let known = pages.flatMap(\.frames).filter { frame in end.map { !isBefore($0, frame.still.id) } ?? true }
            .sorted { isBefore($0.id, $1.id) }
        guard known.count > limit else {
            self.init(frames: known, next: end.map { FrameCursor(order, after: $0) })
            return
        }
        let frames = Array(known.prefix(limit))
        self.init(frames: frames, next: frames.last.map { FrameCursor(order, after: $0.id) })
    }
}

extension FrameSpanList {
    init(merging lists: [[FrameSpan]], unavailable: [String]?) {
        let spans = Dictionary(lists.joined().map { ($0.from, $0) }) { one, other in
            let newest = max(one.newest, other.newest)
            return FrameSpan(from: one.from, to: one.to, frames: one.frames + other.frames, newest: newest)
        }
        self.init(spans: spans.values.sorted { $0.from < $1.from }, unavailable: unavailable)
    }
}
