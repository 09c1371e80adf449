// SPDX-License-Identifier: Apache-2.0
internal import TintypeAPI
internal import TintypeCapture
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// Stored frames of all spools, queried concurrently: a disk that does not respond does not affect the others.
struct Frames: FrameService {
    private static let lookUp = Duration.seconds(5)
    /// Time limit of a page of frames or a thumbnail.
    private static let reading = Duration.seconds(10)
    /// Time limit of changing or deleting, possibly thousands of frames.
    private static let writing = Duration.seconds(60)
    /// Time limit of reading every picture of a large disk.
    private static let verifying = Duration.seconds(48 * 3600)

    private let stores: FrameStores
    private let late: LateSpools
    private let clock: any MonotonicClock
    /// So that stills do not wait for thumbnails; two, since each may need the memory of a large picture.
    private let decoders = WorkerThreads<Void>(name: "tt-thumbnails", count: 2) {}
    private let thumbnailRoom: RequestLimiter

    /// `spools` must not be empty; `clock` is that of the deadlines.
    init(spools: [any FrameStore], clock: any MonotonicClock, thumbnailRoom: RequestLimiter = .forThumbnails()) {
        stores = FrameStores(all: spools)
        late = LateSpools(clock: clock)
        (self.clock, self.thumbnailRoom) = (clock, thumbnailRoom)
    }

    func frame(_ id: FrameID) async throws(Problem) -> FrameRecord {
        let deadline = clock.now + Self.lookUp
        return try await stores.first { (spool) throws(Problem) in try await spool.frame(id, until: deadline) }
    }

    func file(of id: FrameID) async throws(Problem) -> StoredFile {
        let deadline = clock.now + Self.lookUp
        return try await stores.first { (spool) throws(Problem) in try await spool.file(of: id, until: deadline) }
    }

    func thumbnail(of id: FrameID, width: Int) async throws(Problem) -> [UInt8] {
        let place = try thumbnailRoom.enter()
        defer { withExtendedLifetime(place) {} }
        let end = clock.now + Self.reading
        let read = try await stores.first { (spool) throws(Problem) in try await spool.reading(of: id, until: end) }
        let remedy = "Ask for fewer at once, and look at the load of the processor."
        let late = Problem(.deadlineExceeded, "The thumbnail took too long.", remedy: remedy, retryAfter: .seconds(1))
        let client = RequestClient.current
        func onThread<R: Sendable>(_ work: @escaping @Sendable () throws(Problem) -> R) async throws(Problem) -> R {
            try await decoders.perform(for: client, until: end, by: clock, otherwise: late) { _ throws(Problem) in
                try work()
            }
        }
        // Read on the thread, so that waiting requests hold no picture in memory.
        let thumbnail = try await onThread { () throws(Problem) in
            try read().map { picture throws(Problem) in try Self.thumbnail(of: picture, id, width) }
        }
        if let thumbnail { return thumbnail }
        // The file is wrong: reading the picture itself throws the reason and quarantines it.
        let deadline = clock.now + Self.lookUp
        let picture = try await stores.first { (spool) throws(Problem) in
            try await spool.picture(of: id, until: deadline)
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
        let stores = try stores.named(query.spool)
        if query.after != nil, stores.all.count > 1 {
            let names = stores.all.map(\.name).joined(separator: ", ")
            let remedy = "Give the name of one: \(names)."
            throw .invalid(field: "spool", "is missing: each spool numbers its own frames.", remedy: remedy)
        }
        let answers = await stores.each { [late] (spool) throws(Problem) in
            try await late.ask(spool, Self.reading) { deadline async throws(Problem) in
                try await spool.frames(query, until: deadline)
            }
        }
        let (pages, unavailable) = try Self.separateFailures(answers)
        if query.after != nil, let page = pages.first { return page }
        var page = FramePage(merging: pages, query.order, limit: query.limit)
        page.unavailable = unavailable
        return page
    }

    func spans(_ query: FrameSpanQuery) async throws(Problem) -> FrameSpanList {
        let answers = await stores.each { [late] (spool) throws(Problem) in
            try await late.ask(spool, Self.reading) { deadline async throws(Problem) in
                try await spool.spans(query, until: deadline)
            }
        }
        let (lists, unavailable) = try Self.separateFailures(answers)
        return FrameSpanList(merging: lists, unavailable: unavailable)
    }

    func frames(_ ids: Set<FrameID>, fitting filter: FrameFilter) async throws(Problem) -> Set<FrameID> {
        var found: Set<FrameID> = []
        var failure: Problem?
        let ask: FrameStores.Ask<Set<FrameID>> = { (spool) throws(Problem) in
            try await those(of: ids, fitting: filter, in: spool)
        }
        await stores.ask(ask) { _, answer in
            switch answer {
            case .success(let fitting): found.formUnion(fitting)
            case .failure(let problem): failure = failure ?? problem
            }
            return found.count < ids.count
        }
        // A store that does not respond may have the others.
        if let failure, found.count < ids.count { throw failure }
        return found
    }

    func apply(_ change: FrameChange) async throws(Problem) -> FrameOutcome {
        let deadline = clock.now + Self.writing
        return try await outcome(change.selection) { (spool) throws(Problem) in
            try await spool.change(change, until: deadline)
        }
    }

    func delete(_ selection: FrameSelection) async throws(Problem) -> FrameOutcome {
        let deadline = clock.now + Self.writing
        return try await outcome(selection) { (spool) throws(Problem) in
            try await spool.delete(selection, until: deadline)
        }
    }

    func spools(within limit: Duration) async -> [SpoolReport] {
        let deadline = clock.now + limit
        return await stores.each { (spool) throws(Problem) in
            var report = spool.report
            // The state has the reason if there are none.
            report.statistics = try? await spool.statistics(until: deadline)
            return report
        }.compactMap { try? $0.answer.get() }
    }

    func conditions() -> [SpoolReport] { stores.all.map(\.report) }

    func verify(_ request: VerificationRequest) async throws(Problem) -> VerificationList {
        let deadline = clock.now + Self.verifying
        let (reports, unavailable) = try await reports(request.spool) { (spool) throws(Problem) in
            try await spool.verify(deep: request.deep, until: deadline)
        }
        return VerificationList(reports: reports, unavailable: unavailable)
    }

    func retention(_ request: RetentionRequest) async throws(Problem) -> RetentionList {
        let deadline = clock.now + Self.verifying
        let (reports, unavailable) = try await reports(request.spool) { (spool) throws(Problem) in
            try await spool.retention(dryRun: request.dryRun, confirm: request.confirm, until: deadline)
        }
        return RetentionList(reports: reports, unavailable: unavailable)
    }

    private func those(
        of ids: Set<FrameID>,
        fitting filter: FrameFilter,
        in spool: any FrameStore
    ) async throws(Problem) -> Set<FrameID> {
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
            let page = try await late.ask(spool, Self.lookUp) { deadline async throws(Problem) in
                try await spool.frames(query, until: deadline)
            }
            if !page.frames.isEmpty { fitting.insert(id) }
        }
        return fitting
    }

    /// Only ids missing in all spools are missing.
    private func outcome(
        _ selection: FrameSelection,
        _ change: @escaping FrameStores.Ask<FrameOutcome>
    ) async throws(Problem) -> FrameOutcome {
        var sum = FrameOutcome()
        // Ids missing in all stores that have answered.
        var missing: Set<FrameID>?
        var failure: Problem?
        await stores.ask(change) { _, answer in
            switch answer {
            case .success(let outcome):
                missing = missing.map { $0.intersection(outcome.missing) } ?? Set(outcome.missing)
                sum += outcome
            case .failure(let problem): failure = failure ?? problem
            }
            // Stops waiting for other stores once all named frames are found.
            guard case .ids = selection else { return true }
            return missing?.isEmpty != true
        }
        sum.missing = []
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

    /// Reports, with the names of spools that do not respond; throws if none does.
    private func reports<Report: Sendable>(
        _ name: String?,
        _ ask: @escaping FrameStores.Ask<Report>
    ) async throws(Problem) -> (values: [Report], unavailable: [String]?) {
        let soon = clock.now + Self.reading
        let answers = await (try stores.named(name)).each { (spool) throws(Problem) in
            // A quick query first, since the deadline for a spool that does not respond would be far off.
            _ = try await spool.frames(FrameQuery(limit: 1), until: soon)
            return try await ask(spool)
        }
        return try Self.separateFailures(answers)
    }

    /// Values, with the names of failed stores, nil if all succeeded; throws if none did.
    private static func separateFailures<Value>(
        _ answers: [(name: String, answer: Result<Value, Problem>)]
    ) throws(Problem) -> (values: [Value], unavailable: [String]?) {
        var values: [Value] = []
        var unavailable: [String] = []
        for (name, answer) in answers {
            switch answer {
            case .success(let value): values.append(value)
            case .failure(let problem):
                if unavailable.count == answers.count - 1 { throw problem }
                unavailable.append(name)
            }
        }
        return (values, unavailable.isEmpty ? nil : unavailable)
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
    func verify(deep: Bool, until deadline: MonotonicTime) async throws(Problem) -> VerificationReport
    func retention(dryRun: Bool, confirm: Bool, until deadline: MonotonicTime) async throws(Problem) -> RetentionReport
}

extension SpoolStore: FrameStore {
    func verify(deep: Bool, until deadline: MonotonicTime) async throws(Problem) -> VerificationReport {
        try await verify(deep: deep, isWhole: true, until: deadline)
    }

    func retention(dryRun: Bool, confirm: Bool, until end: MonotonicTime) async throws(Problem) -> RetentionReport {
        try await retention(dryRun: dryRun, confirm: confirm, at: nil, until: end)
    }
}

extension RequestLimiter {
    /// A client may ask for the thumbnails of the largest page at once; those that wait hold no picture in memory.
    static func forThumbnails() -> RequestLimiter { RequestLimiter(for: "make a thumbnail", places: 4096) }
}
