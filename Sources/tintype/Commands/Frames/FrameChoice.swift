// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct FilterOption: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "The frames that match this filter, as in “camera:front, since:7d” or “any(tag:alarm, bytes>2M), not pinned”.",
            valueName: "filter"
        ),
        transform: Self.filter
    )
    var filter: FrameFilter?

    private static func filter(_ text: String) throws -> FrameFilter {
        // An argument left empty by a faulty script must not select every frame.
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("The filter is empty: write a condition such as tag:alarm, or all() for all frames.")
        }
        do {
            return try FrameFilter(parsing: text)
        } catch {
            throw ValidationError("\(error.detail) \(error.remedy)")
        }
    }
}

struct FrameChoice: ParsableArguments {
    @Argument(help: "The ids of frames; - reads them from stdin, with white space between two.")
    var ids: [String] = []

    @OptionGroup var option: FilterOption

    func validate() throws {
        guard ids.isEmpty || option.filter == nil else {
            throw ValidationError("Give either ids or --where: a filter can have ids in it, as in any(id:…, id:…).")
        }
        for text in ids where text != "-" && FrameID(text) == nil {
            throw ValidationError("“\(text)” is not the id of a frame, as “tintype frames list” prints them.")
        }
        try ensure(ids.count(where: { $0 == "-" }) <= 1, "Give - once: it reads all of stdin.")
    }

    func require() throws {
        guard isEmpty else { return }
        throw ValidationError("Name the frames by their ids, or by --where FILTER.")
    }

    var isEmpty: Bool { ids.isEmpty && option.filter == nil }

    /// Selected frames without duplicate ids; reads stdin if the command line has `-`.
    func frames() throws -> ChosenFrames {
        if let filter = option.filter { return .fitting(filter) }
        let named = try ids.flatMap { $0 == "-" ? try Self.piped() : [FrameID($0)].compactMap(\.self) }
        var seen: Set<FrameID> = []
        return .named(named.filter { seen.insert($0).inserted })
    }

    /// Reads ids from stdin; throws `invalid-request` with the position of an invalid word.
    private static func piped() throws(Problem) -> [FrameID] {
        var ids: [FrameID] = []
        while let line = readLine() {
            for word in line.split(whereSeparator: \.isWhitespace) {
                guard let id = FrameID(String(word)) else {
                    let detail = "Word \(ids.count + 1) of stdin, “\(word.prefix(60))”, is not the id of a frame."
                    let remedy = "Hand over ids alone, as “tintype frames list --format {id}” prints them."
                    throw Problem(.invalidRequest, detail, remedy: remedy)
                }
                ids.append(id)
            }
        }
        return ids
    }
}

enum ChosenFrames: Hashable {
    case named([FrameID])
    case fitting(FrameFilter)
}

extension ClosedRange<Timestamp> {
    /// Fraction of the range before a moment, clamped to 0...1.
    fileprivate func share(before moment: Timestamp) -> Double {
        let whole = Double(upperBound.microseconds - lowerBound.microseconds)
        guard whole > 0 else { return 1 }
        return Swift.min(Swift.max(Double(moment.microseconds - lowerBound.microseconds) / whole, 0), 1)
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
        guard choice.isEmpty else {
            let missing = try await records(of: try choice.frames(), .newest) { frames, _ in try await body(frames) }
            if let problem = Problem(missing: missing) { throw problem }
            return
        }
        var isThere = false
        // A page may be empty although more follow.
        try await pages(of: .everything, .newest, most: 1) { frames, _ in
            isThere = isThere || !frames.isEmpty
            try await body(frames)
        }
        guard isThere else {
            throw Problem(.frameNotFound, "No frame is stored.", remedy: "Take one, as with “tintype still”.")
        }
    }

    /// Passes the frames to `body`, and returns the ids that are not stored; size and order are those of a filter.
    ///
    /// `share` is the part before a frame, from 0 to 1; nil unless `isMeasured`.
    func records(
        of chosen: ChosenFrames,
        _ order: FrameOrder,
        by size: Int = FrameQuery.limitRange.upperBound,
        isMeasured: Bool = false,
        _ body: (_ frames: [FrameRecord], _ share: (FrameRecord) -> Double?) async throws -> Void
    ) async throws -> [FrameID] {
        var missing: [FrameID] = []
        switch chosen {
        case .named(let ids):
            for (index, id) in ids.enumerated() {
                do {
                    try await body([try await frame(id)]) { _ in Double(index) / Double(ids.count) }
                } catch let problem as Problem where problem.code == .frameNotFound {
                    missing.append(id)
                }
            }
        case .fitting(let filter):
            let span = isMeasured ? try await span(of: filter) : nil
            try await pages(of: filter, order, by: size) { frames, _ in
                try await body(frames) { span?.share(before: $0.still.capturedAt) }
            }
        }
        return missing
    }

    /// Passes matching frames page by page to `body`; `hasMore` is true if another page follows.
    ///
    /// Those that exist throughout come exactly once, even if others are added or deleted. Throws `spool-unavailable`
    /// after the last page if a spool did not answer.
    func pages(
        of filter: FrameFilter,
        _ order: FrameOrder,
        most: Int? = nil,
        by size: Int = FrameQuery.limitRange.upperBound,
        _ body: (_ frames: [FrameRecord], _ hasMore: Bool) async throws -> Void
    ) async throws {
        var query = FrameQuery(filter: filter, order: order, limit: min(size, most ?? size))
        var left = most
        var unavailable: Set<String> = []
        while true {
            let page = try await frames(query)
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
    private func span(of filter: FrameFilter) async throws -> ClosedRange<Timestamp>? {
        var times: [Timestamp] = []
        for order in [FrameOrder.oldest, .newest] {
            let page = try await frames(FrameQuery(filter: filter, order: order, limit: 1))
            times += page.frames.map(\.still.capturedAt)
        }
        guard times.count == 2, times[0] <= times[1] else { return nil }
        return times[0]...times[1]
    }
}
