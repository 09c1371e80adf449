// SPDX-License-Identifier: Apache-2.0
internal import TintypeAPI
internal import TintypeCapture
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// Stored frames of all spools, queried concurrently: a disk that does not respond does not affect the others.
struct Frames: FrameService {
    /// Time limit of changing or deleting, possibly thousands of frames.
    private static let writing = Duration.seconds(60)
    /// Time limit of reading every picture of a large disk.
    private static let verifying = Duration.seconds(48 * 3600)

    private let stores: FrameStores
    private let clock: any MonotonicClock
    /// So that stills do not wait for thumbnails; two, since each may need the memory of a large picture.
    private let decoders = WorkerThreads<Void>(name: "tt-thumbnails", count: 2) {}
    private let thumbnailRoom: RequestLimiter

    /// `spools` must not be empty; `clock` is that of the deadlines.
    init(spools: [any FrameStore], clock: any MonotonicClock, thumbnailRoom: RequestLimiter = .forThumbnails()) {
        stores = FrameStores(spools, by: clock)
        (self.clock, self.thumbnailRoom) = (clock, thumbnailRoom)
    }

    func frame(_ id: FrameID) async throws(Problem) -> FrameRecord {
        try await stores.first { (spool, end) throws(Problem) in try await spool.frame(id, until: end) }
    }

    func file(of id: FrameID) async throws(Problem) -> StoredFile {
        try await stores.first { (spool, end) throws(Problem) in try await spool.file(of: id, until: end) }
    }

    func thumbnail(of id: FrameID, width: Int) async throws(Problem) -> [UInt8] {
        let place = try thumbnailRoom.enter()
        defer { withExtendedLifetime(place) {} }
        let end = clock.now + FrameStores.reading
        let read = try await stores.first(within: FrameStores.reading) { (spool, end) throws(Problem) in
            try await spool.reading(of: id, until: end)
        }
        let remedy = "Ask for fewer at once, and look at the load of the processor."
        let late = Problem(.deadlineExceeded, "The thumbnail took too long.", remedy: remedy, retryAfter: .seconds(1))
        func onThread<R: Sendable>(_ work: @escaping @Sendable () throws(Problem) -> R) async throws(Problem) -> R {
            try await decoders.perform(for: RequestClient.current, until: end, by: clock, otherwise: late) {
                _ throws(Problem) in try work()
            }
        }
        // Read on the thread, so that waiting requests hold no picture in memory.
        let thumbnail = try await onThread { () throws(Problem) in
            try read().map { picture throws(Problem) in try Self.thumbnail(of: picture, id, width) }
        }
        if let thumbnail { return thumbnail }
        // The file is wrong: reading the picture itself throws the reason and quarantines it.
        let picture = try await stores.first { (spool, end) throws(Problem) in
            try await spool.picture(of: id, until: end)
        }
        return try await onThread { () throws(Problem) in try Self.thumbnail(of: picture, id, width) }
    }

    /// Scales down to `width`; blocks.
    private static func thumbnail(of picture: [UInt8], _ id: FrameID, _ width: Int) throws(Problem) -> [UInt8] {
        do throws(ImagingError) {
            guard try JPEGHeader.read(picture.rawSpan).size.width > width else { return picture }
            return try JPEGThumbnail.make(of: picture.rawSpan, width: width)
        } catch {
            if case .refused(let problem) = error { throw problem }
            let detail = "Cannot make a thumbnail of the frame \(id): \(error)"
            let remedy = "Fetch the picture itself, and look for more such files with “tintype frames verify --deep”."
            throw Problem(.corruptOnly, detail, remedy: remedy)
        }
    }

    func frames(_ query: FrameQuery) async throws(Problem) -> FramePage {
        let asked = try stores.named(query.spool)
        if query.after != nil, asked.count > 1 {
            let names = asked.map(\.name).joined(separator: ", ")
            let remedy = "Give the name of one: \(names)."
            throw .invalid(field: "spool", "is missing: each spool numbers its own frames.", remedy: remedy)
        }
        let (pages, unavailable) = try await stores.each(asked) { (spool, end) throws(Problem) in
            try await spool.frames(query, until: end)
        }
        if query.after != nil, let page = pages.first { return page }
        var page = FramePage(merging: pages, query.order, limit: query.limit)
        page.unavailable = unavailable
        return page
    }

    func spans(_ query: FrameSpanQuery) async throws(Problem) -> FrameSpanList {
        let (lists, unavailable) = try await stores.each { (spool, end) throws(Problem) in
            try await spool.spans(query, until: end)
        }
        return FrameSpanList(merging: lists, unavailable: unavailable)
    }

    func frames(_ ids: Set<FrameID>, fitting filter: FrameFilter) async throws(Problem) -> Set<FrameID> {
        var fitting: Set<FrameID> = []
        let deadline = clock.now + Self.writing
        // A query for several ids would scan all frames between them.
        for id in ids {
            guard clock.now < deadline else {
                let frames = CountText.text(ids.count, "frame")
                let detail = "\(frames) could not be looked up in \(SpokenDuration.text(Self.writing))."
                let remedy = "Name fewer at once, or select them by a filter."
                throw Problem(.deadlineExceeded, detail, remedy: remedy, retryAfter: .seconds(1))
            }
            let query = FrameQuery(filter: .all([.is(.id(id)), filter]), limit: 1)
            // A store that does not respond may have it.
            var failures: [Int: Problem] = [:]
            await stores.ask(within: FrameStores.lookUp, isPage: true) { (spool, end) throws(Problem) in
                try await spool.frames(query, until: end).frames.isEmpty
            } _: { index, answer in
                switch answer {
                case .success(let isEmpty): if !isEmpty { fitting.insert(id) }
                case .failure(let problem): failures[index] = problem
                }
                return !fitting.contains(id)
            }
            if let failure = FrameStores.first(of: failures), !fitting.contains(id) { throw failure }
        }
        return fitting
    }

    func apply(_ change: FrameChange) async throws(Problem) -> FrameOutcome {
        try await outcome(change.selection) { (spool, end) throws(Problem) in
            try await spool.change(change, until: end)
        }
    }

    func delete(_ selection: FrameSelection) async throws(Problem) -> FrameOutcome {
        try await outcome(selection) { (spool, end) throws(Problem) in try await spool.delete(selection, until: end) }
    }

    func spools(within limit: Duration) async -> [SpoolReport] {
        // The state has the reason if there are no statistics.
        var reports = conditions()
        await stores.ask(within: limit) { (spool, end) throws(Problem) in
            try await spool.statistics(until: end)
        } _: { index, answer in
            reports[index].statistics = try? answer.get()
            return true
        }
        return reports
    }

    func conditions() -> [SpoolReport] { stores.all.map(\.report) }

    func verify(_ request: VerificationRequest) async throws(Problem) -> VerificationList {
        let (reports, unavailable) = try await reports(request.spool) { (spool, end) throws(Problem) in
            try await spool.verify(deep: request.deep, isWhole: true, until: end)
        }
        return VerificationList(reports: reports, unavailable: unavailable)
    }

    func retention(_ request: RetentionRequest) async throws(Problem) -> RetentionList {
        let (reports, unavailable) = try await reports(request.spool) { (spool, end) throws(Problem) in
            try await spool.retention(dryRun: request.dryRun, confirm: request.confirm, until: end)
        }
        return RetentionList(reports: reports, unavailable: unavailable)
    }

    /// Only ids missing in all spools are missing.
    private func outcome(
        _ selection: FrameSelection,
        _ change: @escaping FrameStores.Ask<FrameOutcome>
    ) async throws(Problem) -> FrameOutcome {
        var outcomes: [Int: FrameOutcome] = [:]
        // Ids missing in all stores that have answered.
        var missing: Set<FrameID>?
        var failures: [Int: Problem] = [:]
        await stores.ask(within: Self.writing, change) { index, answer in
            switch answer {
            case .success(let outcome):
                missing = missing.map { $0.intersection(outcome.missing) } ?? Set(outcome.missing)
                outcomes[index] = outcome
            case .failure(let problem): failures[index] = problem
            }
            // Stops waiting for other stores once all named frames are found.
            guard case .ids = selection else { return true }
            return missing?.isEmpty != true
        }
        var sum = outcomes.sorted { $0.key < $1.key }.reduce(into: FrameOutcome()) { $0 += $1.value }
        sum.missing = []
        let failure = FrameStores.first(of: failures)
        guard case .ids(let ids) = selection else {
            return if let failure { try sum.cut(short: failure) } else { sum }
        }
        guard let missing else { throw failure ?? FrameStores.none }
        var told: Set<FrameID> = []
        let unknown = ids.filter { missing.contains($0) && told.insert($0).inserted }
        // A store that does not respond may have them.
        if let failure, !unknown.isEmpty { return try sum.cut(short: failure, before: unknown) }
        sum.missing = unknown
        return sum
    }

    private func reports<Report: Sendable>(
        _ name: String?,
        _ ask: @escaping FrameStores.Ask<Report>
    ) async throws(Problem) -> (values: [Report], unavailable: [String]?) {
        let soon = clock.now + FrameStores.reading
        return try await stores.each(try stores.named(name), within: Self.verifying) { (spool, end) throws(Problem) in
            // A quick query first, since the deadline for a spool that does not respond would be far off.
            _ = try await spool.frames(FrameQuery(limit: 1), until: soon)
            return try await ask(spool, end)
        }
    }
}

/// A spool as used by ``Frames``; each call returns by its deadline, even if the disk hangs.
protocol FrameStore: Sendable {
    var name: String { get }
    /// Without statistics; never waits for the disk.
    var report: SpoolReport { get }

    func frame(_ id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> FrameRecord
    func picture(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> [UInt8]
    func file(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> StoredFile
    func reading(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> @Sendable () -> [UInt8]?
    func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage
    func spans(_ query: FrameSpanQuery, until deadline: MonotonicTime) async throws(Problem) -> [FrameSpan]
    func change(_ change: FrameChange, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome
    func delete(_ selection: FrameSelection, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome
    func statistics(until deadline: MonotonicTime) async throws(Problem) -> SpoolStatistics
    func verify(deep: Bool, isWhole: Bool, until end: MonotonicTime) async throws(Problem) -> VerificationReport
    func retention(dryRun: Bool, confirm: Bool, until deadline: MonotonicTime) async throws(Problem) -> RetentionReport
}

extension SpoolStore: FrameStore {
    func retention(dryRun: Bool, confirm: Bool, until end: MonotonicTime) async throws(Problem) -> RetentionReport {
        try await retention(dryRun: dryRun, confirm: confirm, at: nil, until: end)
    }
}

extension RequestLimiter {
    /// A client may ask for the thumbnails of the largest page at once; those that wait hold no picture in memory.
    static func forThumbnails() -> RequestLimiter { RequestLimiter(for: "make a thumbnail", places: 4096) }
}
