// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

extension SpoolStore {
    /// A page of the matching frames, in order of their ids; throws `spool-unavailable` and `deadline-exceeded`.
    package func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage {
        let page = try await storage.query("list frames", until: deadline) { catalog throws(Problem) in
            try catalog.lists.page(query, within: catalog.pageTime)
        }
        let frames = page.rows.map { $0.frameRecord(in: folder, named: name) }
        return FramePage(frames: frames, next: page.next, after: page.after.map { Int($0) })
    }

    /// Spans with their frames, without empty ones; throws `spool-unavailable`, also for a filter that takes too much CPU
    /// time, and `deadline-exceeded`.
    ///
    /// Each span is counted by a call of its own, between which other clients are served.
    package func spans(_ query: FrameSpanQuery, until deadline: MonotonicTime) async throws(Problem) -> [FrameSpan] {
        let filter = query.filter.ofStillsUnlessAsked.resolved(at: clock.wall)
        var spans: [FrameSpan] = []
        for span in query.spans {
            let (frames, newest) = try await storage.query("count frames", until: deadline) {
                catalog throws(Problem) in
                try catalog.lists.count(filter, in: span)
            }
            guard let newest else { continue }
            spans.append(FrameSpan(from: span.lowerBound, to: span.upperBound, frames: frames, newest: newest))
        }
        return spans
    }

    /// Record of a stored frame; throws `frame-not-found`, `spool-unavailable` and `deadline-exceeded`.
    package func frame(_ id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> FrameRecord {
        try await row(id, until: deadline).frameRecord(in: folder, named: name)
    }

    private func row(_ id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> FrameRow {
        try await storage.query("look up the picture", until: deadline) { catalog throws(Problem) in
            try catalog.frame(id)
        }
    }

    /// A still, or the poster of a film or clip, empty for none.
    ///
    /// Throws `frame-not-found`, also if only the file is missing, `spool-unavailable` and `deadline-exceeded`; throws
    /// `corrupt-only` if the file differs from the stored picture, quarantines it and marks its row as lost.
    package func picture(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> [UInt8] {
        try await storage.read("look up the picture", until: deadline) { [folder, files = storage.files] reader in
            // The file is read outside of the reader's lock: its disk may not respond.
            reader.row(id).flatMap { StoredPicture.bytes(of: $0, in: folder, files) }
        } otherwise: { spool throws(Problem) in
            try spool.picture(of: id)
        }
    }

    /// Looks up a stored picture and returns a blocking closure that reads it, nil if the file is unreadable or wrong:
    /// ``picture(of:until:)`` then throws the reason; throws as ``frame(_:until:)``.
    package func reading(
        of id: FrameID,
        until deadline: MonotonicTime
    ) async throws(Problem) -> @Sendable () -> [UInt8]? {
        let row = try await row(id, until: deadline)
        return { [folder, files = storage.files] in StoredPicture.bytes(of: row, in: folder, files) }
    }

    /// Contents and free space of the spool; throws `spool-unavailable` and `deadline-exceeded`.
    package func statistics(until deadline: MonotonicTime) async throws(Problem) -> SpoolStatistics {
        try await storage.perform("be counted", until: deadline) { spool throws(Problem) in
            let cameras = try spool.catalog.totals(timed: true)
            let (files, quarantine) = (spool.files, "\(spool.folder)/.quarantine")
            let status = try asProblem(try files.status(of: quarantine, following: false))
            return SpoolStatistics(
                spool: spool.configuration.name,
                folder: spool.folder,
                total: cameras.values.reduce(FrameTotals(), +),
                cameras: cameras,
                freeBytes: try spool.retention.availableBytes(),
                quarantined: status?.kind == .folder ? try asProblem(try files.names(in: quarantine)).count : 0
            )
        }
    }

    /// Number of rows changed in one step, so that stills do not wait for long.
    static let changeBatch = 500

    /// Pins, unpins and tags frames in batches, between which stills are stored; changes in the outcome are durable.
    ///
    /// Frames that arrive meanwhile may be changed too. Throws `spool-unavailable`, `spool-full` or `deadline-exceeded`
    /// only if nothing was changed; else the outcome lists failures, and a repeated call changes the rest.
    package func change(_ change: FrameChange, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome {
        try await apply(to: change.selection, "change frames", Self.changeBatch, until: deadline) {
            spool,
            ids throws(Problem) in
            guard !ids.isEmpty else { return FrameOutcome() }
            // An unpinned picture may be deleted before those that wait.
            if change.edit.pinned == false { spool.retention.waiting.returnBefore(.min) }
            return try spool.judging { () throws(Problem) in try spool.catalog.change(ids, change.edit) }
        }
    }

    /// Deletes frames with their files, including pinned ones; as ``change(_:until:)``.
    ///
    /// A frame whose file cannot be removed stays, and the others are deleted.
    package func delete(_ frames: FrameSelection, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome {
        try await apply(to: frames, "delete frames", FrameDeletion.batch, until: deadline) {
            (spool, ids) throws(Problem) in
            try FrameDeletion(spool: spool).delete(ids)
        }
    }

    /// Applies `step` to the selected frames in batches of `size`, and ends with the first step that throws; each batch
    /// of a filter continues after the last frame of the previous one.
    private func apply(
        to selection: FrameSelection,
        _ verb: String,
        _ size: Int,
        until deadline: MonotonicTime,
        _ step: @escaping @Sendable (OpenSpool, [FrameID]) throws(Problem) -> FrameOutcome
    ) async throws(Problem) -> FrameOutcome {
        var outcome = FrameOutcome()
        var (rest, last): ([FrameID], FrameID?) = ([], nil)
        var filter: FrameFilter?
        switch selection {
        case .ids(let ids):
            var seen: Set<FrameID> = []
            rest = ids.filter { seen.insert($0).inserted }
        case .filter(let chosen): filter = chosen.ofStillsUnlessAsked.resolved(at: clock.wall)
        }
        repeat {
            do throws(Problem) {
                let batch = Array(rest.prefix(size))
                let (done, end) = try await storage.perform(verb, until: deadline) {
                    [filter, last] spool throws(Problem) in
                    guard let filter else { return (try step(spool, batch), nil as FrameID?) }
                    // A single search step, so that stills do not wait for long.
                    let lists = spool.catalog.lists
                    let (rows, end) = try lists.search(filter, order: .oldest, limit: size, after: last, within: .zero)
                    return (try step(spool, rows.map(\.id)), end)
                }
                if let problem = done.problem { storage.noteFailure(problem) }
                outcome += done
                rest = Array(rest.dropFirst(size))
                last = end
            } catch {
                return try outcome.cut(short: error, before: rest)
            }
        } while !rest.isEmpty || last != nil
        return outcome
    }
}

extension FrameDeletion {
    /// As ``delete(_:)-([FrameRow])``, for the ids of a request.
    func delete(_ ids: [FrameID]) throws(Problem) -> FrameOutcome {
        var outcome = FrameOutcome()
        var rows: [FrameRow] = []
        for id in ids {
            if let row = try spool.catalog.row(id) { rows.append(row) } else { outcome.missing.append(id) }
        }
        guard !rows.isEmpty else { return outcome }
        let kept = try delete(rows)
        outcome += FrameOutcome(
            changed: rows.count - kept.count,
            failed: kept.map(\.row.id),
            problem: kept.first.map { spool.files.judged($0.error.problem, in: spool.folder) }
        )
        return outcome
    }
}
