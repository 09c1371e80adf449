// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension Spool {
    /// A page of the frames that a filter fits, by their ids.
    ///
    /// Throws `spool-unavailable` and `deadline-exceeded`.
    package func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage {
        try await look("list frames", until: deadline) { [name, folder] reader in
            reader.page(query).map { FramePage($0, in: folder, named: name) }
        } otherwise: { storage throws(Problem) in
            try storage.page(query)
        }
    }

    /// The record of a stored frame.
    ///
    /// Throws `frame-not-found`, `spool-unavailable` and `deadline-exceeded`.
    package func frame(_ id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> FrameRecord {
        try await look("look up the picture", until: deadline) { [name, folder] reader in
            reader.row(id)?.frameRecord(in: folder, named: name)
        } otherwise: { storage throws(Problem) in
            try storage.frameRecord(of: id)
        }
    }

    /// Pins, unpins and tags frames.
    ///
    /// Changes in the outcome are on the disk. Stills get their turn between each ``Storage/changeBatch`` frames;
    /// frames that come meanwhile may be changed too. Throws `spool-unavailable`, `spool-full` and `deadline-exceeded`
    /// where nothing could be done; otherwise the outcome says what was and what not, and asking again changes the
    /// rest.
    package func change(_ change: FrameChange, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome {
        switch change.selection {
        case .ids(let ids):
            try await outcome(of: ids, Storage.changeBatch) { batch async throws(Problem) in
                try await perform("change frames", until: deadline) { storage throws(Problem) in
                    try storage.change(batch, change.edit)
                }
            }
        case .filter(let filter):
            try await outcome(fitting: filter) { filter, last async throws(Problem) in
                try await perform("change frames", until: deadline) { storage throws(Problem) in
                    try storage.change(matching: filter, after: last, change.edit)
                }
            }
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
        switch selection {
        case .ids(let ids):
            try await outcome(of: ids, FrameDeletion.batch) { batch async throws(Problem) in
                try await perform("delete frames", until: deadline) { storage throws(Problem) in
                    try storage.delete(batch)
                }
            }
        case .filter(let filter):
            try await outcome(fitting: filter) { filter, last async throws(Problem) in
                try await perform("delete frames", until: deadline) { storage throws(Problem) in
                    try storage.delete(matching: filter, after: last)
                }
            }
        }
    }

    /// The outcome of `step` for frames of these ids, `size` at a time; it ends with the first step that throws.
    private func outcome(
        of ids: [FrameID],
        _ size: Int,
        _ step: ([FrameID]) async throws(Problem) -> FrameOutcome
    ) async throws(Problem) -> FrameOutcome {
        var outcome = FrameOutcome()
        let batches = Self.batches(ids, size)
        for (index, batch) in batches.enumerated() {
            do throws(Problem) {
                outcome += noted(try await step(batch))
            } catch {
                return try outcome.cut(short: error, before: batches[index...].flatMap(\.self))
            }
        }
        return outcome
    }

    /// The outcome of `step` for the frames of a filter, each time for the next behind those of before; it ends with the
    /// first step that throws.
    private func outcome(
        fitting filter: FrameFilter,
        _ step: (FrameFilter, FrameID?) async throws(Problem) -> (outcome: FrameOutcome, last: FrameID?)
    ) async throws(Problem) -> FrameOutcome {
        let filter = filter.resolved(at: .now())
        var outcome = FrameOutcome()
        var last: FrameID?
        repeat {
            do throws(Problem) {
                let done = try await step(filter, last)
                outcome += noted(done.outcome)
                last = done.last
            } catch {
                return try outcome.cut(short: error)
            }
        } while last != nil
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
        var (statistics, thumbnails) = try await perform("be counted", until: deadline) { storage throws(Problem) in
            (try storage.statistics(), storage.thumbnails)
        }
        statistics.thumbnailBytes = try await thumbnails.bytes(until: deadline)
        return statistics
    }

    /// Ids, each once, in parts of `size` at most.
    private static func batches(_ ids: [FrameID], _ size: Int) -> [[FrameID]] {
        var seen: Set<FrameID> = []
        let ids = ids.filter { seen.insert($0).inserted }
        return stride(from: 0, to: ids.count, by: size).map { Array(ids[$0..<min($0 + size, ids.count)]) }
    }
}
