// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Matching frames page by page: those that exist throughout exactly once, even if others are added or deleted.
struct FrameWalk {
    let client: ControlClient
    let filter: FrameFilter
    let order: FrameOrder
    /// Maximum number of frames; nil for no limit.
    var most: Int?

    /// Calls `body` with each page of at most `size` frames; `hasMore` is true if another page follows.
    ///
    /// Throws `spool-unavailable` after the last page if a spool did not answer.
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

    /// Capture times of the oldest and newest frame; nil if there are none, or if a slow search finds none at first.
    func span() async throws -> ClosedRange<Timestamp>? {
        let oldest = try await captureTime(first: .oldest)
        let newest = try await captureTime(first: .newest)
        guard let oldest, let newest, oldest <= newest else { return nil }
        return oldest...newest
    }

    private func captureTime(first order: FrameOrder) async throws -> Timestamp? {
        let query = FrameQuery(filter: filter, order: order, limit: 1)
        return try await client.frames(query).frames.first?.still.capturedAt
    }
}

extension Problem {
    /// Problem for frames left out because spools did not answer; nil for no spools.
    init?(unavailable spools: some Collection<String>) {
        guard !spools.isEmpty else { return nil }
        let names = spools.sorted().joined(separator: ", ")
        let one = "The spool \(names) does not answer: its frames are left out."
        let many = "The spools \(names) do not answer: their frames are left out."
        let remedy = "See “tintype frames stats” for the reason."
        self.init(.spoolUnavailable, spools.count == 1 ? one : many, remedy: remedy)
    }
}

extension ControlClient {
    /// The newest frame without a selection; throws `frame-not-found` for unknown ids, or if no frame is stored.
    func records(of choice: FrameChoice, _ body: ([FrameRecord]) async throws -> Void) async throws {
        guard choice.isEmpty else { return try await records(of: try choice.frames(), .newest, body) }
        var isThere = false
        // A page may be empty although more follow.
        try await FrameWalk(client: self, filter: .everything, order: .newest, most: 1).pages { frames, _ in
            isThere = isThere || !frames.isEmpty
            try await body(frames)
        }
        guard isThere else {
            throw Problem(.frameNotFound, "No frame is stored.", remedy: "Take one, as with “tintype still”.")
        }
    }

    /// `order` applies to a filter; throws `frame-not-found` for unknown ids, after all others.
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
