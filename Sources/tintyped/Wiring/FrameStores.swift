// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

struct FrameStores: Sendable {
    typealias Ask<Value> = @Sendable (any FrameStore) async throws(Problem) -> Value

    let all: [any FrameStore]

    static let none = Problem(.internalError, "There is no spool to ask.", remedy: "Restart tintyped.")

    /// The store of this name, all stores for nil; throws `not-found`.
    func named(_ name: String?) throws(Problem) -> FrameStores {
        guard let name else { return self }
        guard let spool = all.first(where: { $0.name == name }) else {
            let remedy = Spelling.remedy(for: name, among: all.map(\.name), otherwise: "Restart tintyped.")
            throw Problem(.notFound, "There is no spool “\(name)”.", remedy: remedy)
        }
        return FrameStores(all: [spool])
    }

    /// Passes each answer with the index of its store to `goesOn` until that returns false, which cancels the others.
    func ask<Value: Sendable>(_ ask: @escaping Ask<Value>, _ goesOn: (Int, Result<Value, Problem>) -> Bool) async {
        await withTaskGroup(of: (Int, Result<Value, Problem>).self) { group in
            for (index, spool) in all.enumerated() {
                group.addTask {
                    do throws(Problem) {
                        return (index, .success(try await ask(spool)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            for await (index, answer) in group where !goesOn(index, answer) {
                group.cancelAll()
                break
            }
        }
    }

    /// Answers of all stores, in order.
    func each<Value: Sendable>(_ ask: @escaping Ask<Value>) async -> [(name: String, answer: Result<Value, Problem>)] {
        var answers: [Int: Result<Value, Problem>] = [:]
        await self.ask(ask) { index, answer in
            answers[index] = answer
            return true
        }
        return all.enumerated().compactMap { index, spool in answers[index].map { (spool.name, $0) } }
    }

    /// Throws `frame-not-found` only if all stores do: one that does not respond may have the frame.
    func first<Value: Sendable>(_ ask: @escaping Ask<Value>) async throws(Problem) -> Value {
        var value: Value?
        var failure: Problem?
        await self.ask(ask) { _, answer in
            switch answer {
            case .success(let found): value = found
            case .failure(let problem):
                if failure.map({ $0.code == .frameNotFound }) ?? true { failure = problem }
            }
            return value == nil
        }
        if let value { return value }
        throw failure ?? Self.none
    }
}

/// Spools that timed out at their last query, so that a list of many pages does not wait for them at each page.
final class LateSpools: Sendable {
    private let names = Mutex<Set<String>>([])
    private let clock: any MonotonicClock

    init(clock: any MonotonicClock) { self.clock = clock }

    /// Within `timeLimit`, or a second if `spool` timed out the last time.
    func ask<Value: Sendable>(
        _ spool: any FrameStore,
        _ timeLimit: Duration,
        _ question: (MonotonicTime) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let name = spool.name
        let isLate = names.withLock { $0.contains(name) }
        do throws(Problem) {
            let answer = try await question(clock.now + (isLate ? min(timeLimit, .seconds(1)) : timeLimit))
            _ = names.withLock { $0.remove(name) }
            return answer
        } catch {
            if error.code == .deadlineExceeded { _ = names.withLock { $0.insert(name) } }
            throw error
        }
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
