// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

extension Spool {
    /// A page of the frames that a filter fits, by their ids.
    ///
    /// Throws `spool-unavailable` and `deadline-exceeded`.
    package func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage {
        try await look("list frames", until: deadline) { [name, folder] reader in
            reader.page(query).map { FramePage($0, in: folder, named: name) }
        } otherwise: { [name, folder] storage throws(Problem) in
            FramePage(try storage.catalog.page(query, within: storage.pageTime), in: folder, named: name)
        }
    }

    /// The record of a stored frame.
    ///
    /// Throws `frame-not-found`, `spool-unavailable` and `deadline-exceeded`.
    package func frame(_ id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> FrameRecord {
        try await look("look up the picture", until: deadline) { [name, folder] reader in
            reader.row(id)?.frameRecord(in: folder, named: name)
        } otherwise: { [name, folder] storage throws(Problem) in
            try storage.row(id).frameRecord(in: folder, named: name)
        }
    }

    /// Pins, unpins and tags frames.
    ///
    /// Changes in the outcome are on the disk. Stills get their turn between each ``Storage/changeBatch`` frames;
    /// frames that come meanwhile may be changed too. Throws `spool-unavailable`, `spool-full` and `deadline-exceeded`
    /// where nothing could be done; otherwise the outcome says what was and what not, and asking again changes the
    /// rest.
    package func change(_ change: FrameChange, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome {
        try await outcome(of: change.selection, "change frames", Storage.changeBatch, until: deadline) {
            storage,
            ids throws(Problem) in
            try storage.change(ids, change.edit)
        }
    }

    /// Deletes frames with their files, pinned ones too.
    ///
    /// Deleted frames in the outcome do not come back, not after a power cut either. Stills get their turn between each
    /// ``FrameDeletion/batch`` frames. A frame whose file cannot be removed stays, and those behind it go. Throws
    /// `spool-unavailable`, `spool-full` and `deadline-exceeded` where none could be; otherwise the outcome says what was
    /// and what not, and asking again deletes the rest.
    package func delete(_ selection: FrameSelection, until deadline: MonotonicTime) async throws(Problem)
        -> FrameOutcome
    {
        try await outcome(of: selection, "delete frames", FrameDeletion.batch, until: deadline) {
            storage,
            ids throws(Problem) in
            try storage.delete(ids)
        }
    }

    /// The outcome of `step` for the frames of a selection, `size` at a time, those of a filter each time for the next
    /// behind those of before; it ends with the first step that throws.
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

    /// The outcome of a step; the spool is examined where something went wrong.
    private func noted(_ outcome: FrameOutcome) -> FrameOutcome {
        if let problem = outcome.problem { noteFailure(problem) }
        return outcome
    }

    /// The contents and the room of the spool.
    ///
    /// Throws `spool-unavailable` and `deadline-exceeded`.
    package func statistics(until deadline: MonotonicTime) async throws(Problem) -> SpoolStatistics {
        try await perform("be counted", until: deadline) { storage throws(Problem) in try storage.statistics() }
    }

    /// Ids, each once, in parts of `size` at most.
    private static func batches(_ ids: [FrameID], _ size: Int) -> [[FrameID]] {
        var seen: Set<FrameID> = []
        let ids = ids.filter { seen.insert($0).inserted }
        return stride(from: 0, to: ids.count, by: size).map { Array(ids[$0..<min($0 + size, ids.count)]) }
    }
}
