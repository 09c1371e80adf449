// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import TintypeModel
@testable import tintyped

/// Spool in memory that lists and deletes, fails or hangs.
final class FakeStore: FrameStore {
    let name: String
    let report: SpoolReport
    private let failure: Problem?
    private let isHung: Bool
    private let pagesWait: Bool
    private let step: Int
    private let waits = Mutex<[MonotonicTime]>([])
    private let records: Mutex<[FrameRecord]>
    /// Called on the reading thread before it reads a picture.
    let atReading = Mutex<@Sendable () -> Void>({})
    /// Called at each request for a page.
    let atPage = Mutex<@Sendable () async -> Void>({})

    /// Creates a spool of frames captured at these seconds; with `failure` every call throws that.
    ///
    /// A spool that hangs times out on reads at once, and suspends changes, and pages if `pagesWait`, until the task is
    /// cancelled. A page ends after `step` frames of the search, as if few matched.
    init(
        _ name: String,
        _ seconds: [Int64],
        failure: Problem? = nil,
        isHung: Bool = false,
        pagesWait: Bool = false,
        step: Int = .max
    ) {
        self.name = name
        self.failure = failure
        self.isHung = isHung
        self.pagesWait = pagesWait
        self.step = step
        let verification = failure == nil ? VerificationProgress(of: seconds.count) : nil
        report = SpoolReport(spool: name, folder: "/\(name)", state: .available, verification: verification)
        records = Mutex(
            seconds.map { second in
                let time = Timestamp(microseconds: second * 1_000_000)
                let still = StillRecord(at: time, sequence: UInt32(second))
                return FrameRecord(still: still, storedAt: time, spool: name)
            }
        )
    }

    var frames: [FrameRecord] { records.withLock(\.self) }

    var deadlines: [MonotonicTime] { waits.withLock(\.self) }

    private func answering() throws(Problem) -> [FrameRecord] {
        if let failure { throw failure }
        if isHung { throw Self.late }
        return frames
    }

    /// Suspends until the task is cancelled, if the spool hangs.
    private func hang() async {
        guard isHung else { return }
        let (never, end) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        end.finish()
    }

    /// Error of a request that timed out on a hanging spool.
    static let late = Problem(.deadlineExceeded, "It did not answer.", remedy: "Look at the disk.")

    func frame(_ id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> FrameRecord {
        guard let frame = try answering().first(where: { $0.id == id }) else {
            throw Problem(.frameNotFound, "No frame \(id) is in \(name).", remedy: "Look elsewhere.")
        }
        return frame
    }

    func picture(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> [UInt8] {
        Array(try await frame(id, until: deadline).spool.utf8)
    }

    func file(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> StoredFile {
        StoredFile(mediaType: "image/jpeg", try await picture(of: id, until: deadline))
    }

    func reading(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> @Sendable () -> [UInt8]? {
        let picture = try await picture(of: id, until: deadline)
        return { [self] in
            atReading.withLock(\.self)()
            return picture
        }
    }

    func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage {
        waits.withLock { $0.append(deadline) }
        await atPage.withLock(\.self)()
        if pagesWait { await hang() }
        var all = try answering().filter { Self.fits(query.filter, $0) }.sorted {
            query.order == .newest ? $0.id > $1.id : $0.id < $1.id
        }
        if let last = query.cursor?.last { all = all.filter { query.order == .newest ? $0.id < last : $0.id > last } }
        let page = Array(all.prefix(min(query.limit, step)))
        let next = all.count > page.count ? page.last.map { FrameCursor(query.order, after: $0.id) } : nil
        return FramePage(frames: page, next: next)
    }

    func spans(_ query: FrameSpanQuery, until deadline: MonotonicTime) async throws(Problem) -> [FrameSpan] {
        let all = try answering().filter { Self.fits(query.filter, $0) }
        return query.spans.compactMap { span in
            let frames = all.filter { span.contains($0.still.capturedAt) }
            guard let newest = frames.map(\.id).max() else { return nil }
            return FrameSpan(from: span.lowerBound, to: span.upperBound, frames: frames.count, newest: newest)
        }
    }

    /// Evaluates conditions on ids and camera names; others always match.
    private static func fits(_ filter: FrameFilter, _ frame: FrameRecord) -> Bool {
        switch filter {
        case .all(let filters): filters.allSatisfy { fits($0, frame) }
        case .any(let filters): filters.contains { fits($0, frame) }
        case .not(let filter): !fits(filter, frame)
        case .is(.id(let id)): frame.id == id
        case .is(.camera(let name)): frame.still.camera == name
        case .is: true
        }
    }

    func change(_ change: FrameChange, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome {
        await hang()
        _ = try answering()
        return records.withLock { records in
            var outcome = FrameOutcome()
            guard case .ids(let ids) = change.selection else { return FrameOutcome(changed: records.count) }
            for id in ids {
                if let index = records.firstIndex(where: { $0.id == id }) {
                    outcome.changed += 1
                    records[index].pinned = change.edit.pinned ?? false
                } else {
                    outcome.missing.append(id)
                }
            }
            return outcome
        }
    }

    func delete(_ selection: FrameSelection, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome {
        try await change(FrameChange(selection, FrameEdit(pinned: true)), until: deadline)
    }

    func statistics(until deadline: MonotonicTime) async throws(Problem) -> SpoolStatistics {
        let total = FrameTotals(frames: try answering().count)
        return SpoolStatistics(spool: name, folder: report.folder, total: total, cameras: [:], freeBytes: 1)
    }

    func verify(deep: Bool, isWhole: Bool, until end: MonotonicTime) async throws(Problem) -> VerificationReport {
        await hang()
        return VerificationReport(spool: name, isDeep: deep, takenIn: try answering().count)
    }

    func retention(
        dryRun: Bool,
        confirm: Bool,
        until deadline: MonotonicTime
    ) async throws(Problem) -> RetentionReport {
        await hang()
        return RetentionReport(spool: name, isDryRun: dryRun, frames: try answering().count)
    }
}
