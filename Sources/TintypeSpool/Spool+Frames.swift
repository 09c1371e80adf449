// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

extension Spool {
    /// A page of the matching frames, in order of their ids; throws `spool-unavailable` and `deadline-exceeded`.
    package func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage {
        try await look("list frames", until: deadline) { [name, folder] reader in
            reader.page(query).map { FramePage($0, in: folder, named: name) }
        } otherwise: { [name, folder] storage throws(Problem) in
            FramePage(try storage.catalog.page(query, within: storage.pageTime), in: folder, named: name)
        }
    }

    /// Record of a stored frame; throws `frame-not-found`, `spool-unavailable` and `deadline-exceeded`.
    package func frame(_ id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> FrameRecord {
        try await look("look up the picture", until: deadline) { [name, folder] reader in
            reader.numberedRow(id)?.frameRecord(in: folder, named: name)
        } otherwise: { [name, folder] storage throws(Problem) in
            try storage.numberedRow(id).frameRecord(in: folder, named: name)
        }
    }

    /// Pins, unpins and tags frames.
    ///
    /// Changes in the outcome are durable. Runs in batches of ``Storage/changeBatch`` frames, between which stills are
    /// stored; frames that arrive meanwhile may be changed too. Throws `spool-unavailable`, `spool-full` and
    /// `deadline-exceeded` only if nothing was changed. Otherwise the outcome lists failures, and a repeated call
    /// changes the rest.
    package func change(_ change: FrameChange, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome {
        try await outcome(of: change.selection, "change frames", Storage.changeBatch, until: deadline) {
            storage,
            ids throws(Problem) in
            try storage.change(ids, change.edit)
        }
    }

    /// Deletes frames with their files, including pinned ones.
    ///
    /// Deletions in the outcome are durable, even across a power cut. Runs in batches of ``FrameDeletion/batch``
    /// frames, between which stills are stored. A frame whose file cannot be removed stays, and the others are deleted.
    /// Throws `spool-unavailable`, `spool-full` and `deadline-exceeded` only if nothing was deleted. Otherwise the
    /// outcome lists failures, and a repeated call deletes the rest.
    package func delete(_ selection: FrameSelection, until deadline: MonotonicTime) async throws(Problem)
        -> FrameOutcome
    {
        try await outcome(of: selection, "delete frames", FrameDeletion.batch, until: deadline) {
            storage,
            ids throws(Problem) in
            try storage.delete(ids)
        }
    }

    /// Applies `step` to the selected frames in batches of `size`, and ends with the first step that throws; each batch
    /// of a filter continues after the last frame of the previous one.
    private func outcome(
        of selection: FrameSelection,
        _ verb: String,
        _ size: Int,
        until deadline: MonotonicTime,
        _ step: @escaping @Sendable (Storage, [FrameID]) throws(Problem) -> FrameOutcome
    ) async throws(Problem) -> FrameOutcome {
        var outcome = FrameOutcome()
        switch selection {
        case .ids(let ids):
            let batches = Self.batches(ids, size)
            for (index, batch) in batches.enumerated() {
                do throws(Problem) {
                    let done = try await perform(verb, until: deadline) { storage throws(Problem) in
                        try step(storage, batch)
                    }
                    outcome += noted(done)
                } catch {
                    return try outcome.cut(short: error, before: batches[index...].flatMap(\.self))
                }
            }
        case .filter(let filter):
            let filter = filter.resolved(at: clock.wall)
            var last: FrameID?
            repeat {
                do throws(Problem) {
                    let done = try await perform(verb, until: deadline) { [last] storage throws(Problem) in
                        try storage.next(size, fitting: filter, after: last, step)
                    }
                    outcome += noted(done.outcome)
                    last = done.last
                } catch {
                    return try outcome.cut(short: error)
                }
            } while last != nil
        }
        return outcome
    }

    private func noted(_ outcome: FrameOutcome) -> FrameOutcome {
        if let problem = outcome.problem { noteFailure(problem) }
        return outcome
    }

    /// Contents and free space of the spool; throws `spool-unavailable` and `deadline-exceeded`.
    package func statistics(until deadline: MonotonicTime) async throws(Problem) -> SpoolStatistics {
        try await perform("be counted", until: deadline) { storage throws(Problem) in try storage.statistics() }
    }

    private static func batches(_ ids: [FrameID], _ size: Int) -> [[FrameID]] {
        var seen: Set<FrameID> = []
        let ids = ids.filter { seen.insert($0).inserted }
        return stride(from: 0, to: ids.count, by: size).map { Array(ids[$0..<min($0 + size, ids.count)]) }
    }
}
