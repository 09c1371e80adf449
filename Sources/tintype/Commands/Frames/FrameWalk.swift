// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Goes through the frames that fit a filter, page by page, so that no list of all of them is ever in memory.
///
/// Frames may come and go meanwhile: none that stays is left out or comes twice.
struct FrameWalk {
    let client: ControlClient
    let filter: FrameFilter
    let order: FrameOrder
    /// How many there may be in all; nil for no limit.
    var most: Int?

    /// Hands `body` each page of at most `size` frames, and whether there are more behind the last of them.
    ///
    /// Throws `spool-unavailable` after the last where a spool did not answer.
    func pages(
        of size: Int = FrameQuery.limitRange.upperBound,
        _ body: (_ frames: [FrameRecord], _ hasMore: Bool) async throws -> Void
    ) async throws {
        var query = FrameQuery(filter: filter, order: order, limit: min(size, most ?? size))
        var left = most
        var unavailable: Set<String> = []
        while true {
            let page = try await client.frames(query)
            unavailable.formUnion(page.unavailable ?? [])
            try await body(page.frames, page.next != nil)
            left = left.map { $0 - page.frames.count }
            guard let next = page.next, left != 0 else { break }
            query.cursor = next
            query.limit = min(size, left ?? size)
        }
        if let problem = Problem(unavailable: unavailable) { throw problem }
    }

    /// When the oldest and the newest of them were captured, to tell how far a walk is; nil where there is none, or they take
    /// long to be found.
    func span() async throws -> ClosedRange<Timestamp>? {
        let oldest = try await end(.oldest)
        let newest = try await end(.newest)
        guard let oldest, let newest, oldest <= newest else { return nil }
        return oldest...newest
    }

    private func end(_ order: FrameOrder) async throws -> Timestamp? {
        let query = FrameQuery(filter: filter, order: order, limit: 1)
        return try await client.frames(query).frames.first?.still.capturedAt
    }
}

extension Problem {
    /// Frames are left out because these spools did not answer; nil where all did.
    init?(unavailable spools: some Collection<String>) {
        guard !spools.isEmpty else { return nil }
        let names = spools.sorted().joined(separator: ", ")
        self.init(
            .spoolUnavailable,
            spools.count == 1
                ? "The spool \(names) does not answer: its frames are left out."
                : "The spools \(names) do not answer: their frames are left out.",
            remedy: "See “tintype frames stats” for the reason."
        )
    }
}

extension ControlClient {
    /// Hands `body` the records of the frames that are meant: the newest one where nothing was chosen.
    ///
    /// Throws `frame-not-found` for an id that is not there, and where nothing was chosen and there is none at all.
    func records(of choice: FrameChoice, _ body: ([FrameRecord]) async throws -> Void) async throws {
        guard choice.isEmpty else { return try await records(of: try choice.frames(), .newest, body) }
        var isThere = false
        // A page may end before the first that this client may see.
        try await FrameWalk(client: self, filter: .everything, order: .newest, most: 1).pages { frames, _ in
            isThere = isThere || !frames.isEmpty
            try await body(frames)
        }
        guard isThere else {
            throw Problem(.frameNotFound, "No frame is stored.", remedy: "Take one, as with “tintype still”.")
        }
    }

    /// Hands `body` the records of these frames, those that fit a filter in this order.
    ///
    /// Throws `frame-not-found` for an id that is not there, after the others.
    func records(
        of chosen: ChosenFrames,
        _ order: FrameOrder,
        _ body: ([FrameRecord]) async throws -> Void
    ) async throws {
        switch chosen {
        case .named(let ids):
            var missing = FrameOutcome()
            for id in ids {
                do {
                    try await body([try await frame(id)])
                } catch let problem as Problem where problem.code == .frameNotFound {
                    missing.missing.append(id)
                }
            }
            if let problem = Problem(undone: missing) { throw problem }
        case .fitting(let filter):
            let walk = FrameWalk(client: self, filter: filter, order: order)
            try await walk.pages { frames, _ in try await body(frames) }
        }
    }
}
