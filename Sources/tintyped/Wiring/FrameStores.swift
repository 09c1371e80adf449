// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The spools that are asked for frames, side by side.
struct FrameStores: Sendable {
    let all: [any FrameStore]

    /// The one of that name, or all of them; throws `not-found`.
    func named(_ name: String?) throws(Problem) -> FrameStores {
        guard let name else { return self }
        guard let spool = all.first(where: { $0.name == name }) else {
            throw Problem(
                .notFound,
                "There is no spool “\(name)”.",
                remedy: Spelling.remedy(for: name, among: all.map(\.name), otherwise: "Restart tintyped.")
            )
        }
        return FrameStores(all: [spool])
    }

    /// The answers of all stores, in their order.
    func each<Value: Sendable>(
        _ ask: @escaping @Sendable (any FrameStore) async throws(Problem) -> Value
    ) async -> [(name: String, answer: Result<Value, Problem>)] {
        let answers = await withTaskGroup(of: (Int, Result<Value, Problem>).self) { group in
            for (index, spool) in all.enumerated() {
                group.addTask { (index, await Self.answer(of: spool, ask)) }
            }
            var answers: [Int: Result<Value, Problem>] = [:]
            for await (index, answer) in group { answers[index] = answer }
            return answers
        }
        return all.enumerated().compactMap { index, spool in answers[index].map { (spool.name, $0) } }
    }

    /// Hands `goesOn` each answer as it comes, until that returns false; a spool that has not answered by then is given
    /// up.
    func ask<Value: Sendable>(
        _ ask: @escaping @Sendable (any FrameStore) async throws(Problem) -> Value,
        _ goesOn: (Result<Value, Problem>) -> Bool
    ) async {
        await withTaskGroup(of: Result<Value, Problem>.self) { group in
            for spool in all { group.addTask { await Self.answer(of: spool, ask) } }
            for await answer in group where !goesOn(answer) {
                group.cancelAll()
                break
            }
        }
    }

    /// The answer of the first store that can give one.
    ///
    /// Throws `frame-not-found` only where all of them say so: one that does not answer may have it.
    func first<Value: Sendable>(
        _ ask: @escaping @Sendable (any FrameStore) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let answer = await withTaskGroup(of: Result<Value, Problem>.self) { group -> Result<Value, Problem>? in
            for spool in all { group.addTask { await Self.answer(of: spool, ask) } }
            var failure: Problem?
            for await answer in group {
                switch answer {
                case .success:
                    group.cancelAll()
                    return answer
                case .failure(let problem):
                    if failure.map({ $0.code == .frameNotFound }) ?? true { failure = problem }
                }
            }
            return failure.map { .failure($0) }
        }
        guard let answer else {
            throw Problem(.internalError, "There is no spool to ask.", remedy: "Restart tintyped.")
        }
        return try answer.get()
    }

    private static func answer<Value>(
        of spool: any FrameStore,
        _ ask: (any FrameStore) async throws(Problem) -> Value
    ) async -> Result<Value, Problem> {
        do throws(Problem) {
            return .success(try await ask(spool))
        } catch {
            return .failure(error)
        }
    }
}
