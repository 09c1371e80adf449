// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Spool operations of the HTTP API.
///
/// No call may wait for a disk beyond its own deadline; the API adds no timeout. Calls throw `spool-unavailable` or
/// `deadline-exceeded` if a spool that they need does not answer, `frame-not-found` for a frame that is not stored, and
/// `not-found` for the name of an unknown spool.
package protocol FrameService: Sendable {
    func frame(_ id: FrameID) async throws(Problem) -> FrameRecord
    func file(of id: FrameID) async throws(Problem) -> StoredFile
    /// JPEG of the frame, or of the poster of a film or clip, of at most `width` pixels per row
    /// (``ThumbnailWidth/range``); throws `corrupt-only` or `configuration-unsupported` if none can be made.
    func thumbnail(of id: FrameID, width: Int) async throws(Problem) -> [UInt8]
    func frames(_ query: FrameQuery) async throws(Problem) -> FramePage
    /// Spans with their frames of all spools, in order, without empty ones.
    func spans(_ query: FrameSpanQuery) async throws(Problem) -> FrameSpanList
    /// Subset of `ids` that match `filter`. Waits for a spool only if the others do not have all ids.
    func frames(_ ids: Set<FrameID>, fitting filter: FrameFilter) async throws(Problem) -> Set<FrameID>
    /// Changes frames; returns once the change is on disk.
    ///
    /// The outcome lists unknown ids and failed frames. Throws only if a spool does not answer and nothing was done.
    func apply(_ change: FrameChange) async throws(Problem) -> FrameOutcome
    /// Deletes frames permanently; otherwise like ``apply(_:)``.
    func delete(_ selection: FrameSelection) async throws(Problem) -> FrameOutcome
    /// State and statistics of every spool; without statistics if a spool does not answer within `limit`.
    func spools(within limit: Duration) async -> [SpoolReport]
    /// State of every spool without statistics; never waits for a disk.
    func conditions() -> [SpoolReport]
    /// Reconciles spool folder and catalog; may take as long as reading all pictures.
    ///
    /// Lists spools that do not answer, and throws only if none does.
    func verify(_ request: VerificationRequest) async throws(Problem) -> VerificationList
    /// Applies the retention rules, or lists what they would delete; spools as in ``verify(_:)``.
    func retention(_ request: RetentionRequest) async throws(Problem) -> RetentionList
}

/// Stored frames limited to those accessible to a client; all others appear nonexistent.
struct AuthorizedFrames: Sendable {
    let frames: any FrameService
    let caller: Caller

    func frames(_ query: FrameQuery) async throws(Problem) -> FramePage {
        var query = query
        query.filter = narrowed(query.filter, .view)
        return try await frames.frames(query)
    }

    func spans(_ query: FrameSpanQuery) async throws(Problem) -> FrameSpanList {
        var query = query
        query.filter = narrowed(query.filter, .view)
        return try await frames.spans(query)
    }

    func frame(_ id: FrameID) async throws(Problem) -> FrameRecord {
        try await require(id)
        return try await frames.frame(id)
    }

    func file(of id: FrameID) async throws(Problem) -> StoredFile {
        try await require(id)
        return try await frames.file(of: id)
    }

    func thumbnail(of id: FrameID, width: Int) async throws(Problem) -> [UInt8] {
        try await require(id)
        return try await frames.thumbnail(of: id, width: width)
    }

    /// Reports ids of inaccessible frames as missing.
    func apply(_ change: FrameChange) async throws(Problem) -> FrameOutcome {
        try await outcome(change.selection, .control) { selection throws(Problem) in
            try await frames.apply(FrameChange(selection, change.edit))
        }
    }

    func delete(_ selection: FrameSelection) async throws(Problem) -> FrameOutcome {
        try await outcome(selection, .admin) { selection throws(Problem) in try await frames.delete(selection) }
    }

    private func require(_ id: FrameID) async throws(Problem) {
        if try await own([id], .view).isEmpty { throw .noFrame(id) }
    }

    /// The subset of `ids` for which the client has `role`.
    private func own(_ ids: [FrameID], _ role: Role) async throws(Problem) -> Set<FrameID> {
        guard let filter = caller.frames(role) else { return Set(ids) }
        return try await frames.frames(Set(ids), fitting: filter)
    }

    /// Applies `change` to the accessible part of a selection.
    private func outcome(
        _ selection: FrameSelection,
        _ role: Role,
        _ change: (FrameSelection) async throws(Problem) -> FrameOutcome
    ) async throws(Problem) -> FrameOutcome {
        switch selection {
        case .filter(let filter): return try await change(.filter(narrowed(filter, role)))
        case .ids(let ids):
            let own = try await own(ids, role)
            let kept = ids.filter(own.contains)
            var outcome = kept.isEmpty ? FrameOutcome() : try await change(.ids(kept))
            outcome.missing += ids.filter { !own.contains($0) }
            return outcome
        }
    }

    private func narrowed(_ filter: FrameFilter, _ role: Role) -> FrameFilter {
        // Applied before the rule is added, whose conditions on the kind are not the client's.
        caller.frames(role).map { .all([filter.ofStillsUnlessAsked, $0]) } ?? filter
    }
}
