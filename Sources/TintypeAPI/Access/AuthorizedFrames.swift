// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Stored frames limited to those accessible to a client; all others appear nonexistent.
struct AuthorizedFrames: Sendable {
    let frames: any FrameService
    let caller: Caller

    func frames(_ query: FrameQuery) async throws(Problem) -> FramePage {
        var query = query
        query.filter = narrowed(query.filter, .view)
        return try await frames.frames(query)
    }

    /// Throws `frame-not-found`.
    func frame(_ id: FrameID) async throws(Problem) -> FrameRecord {
        try await require(id)
        return try await frames.frame(id)
    }

    /// Throws `frame-not-found`.
    func picture(of id: FrameID) async throws(Problem) -> [UInt8] {
        try await require(id)
        return try await frames.picture(of: id)
    }

    /// Throws like ``FrameService/thumbnail(of:width:)``.
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
        guard try await own([id], .view).isEmpty else { return }
        throw .noFrame(id)
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
        caller.frames(role).map { .all([filter, $0]) } ?? filter
    }
}
