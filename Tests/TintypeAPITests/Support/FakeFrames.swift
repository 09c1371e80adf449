// SPDX-License-Identifier: Apache-2.0
import TintypeAPI
import TintypeModel

/// A spool with one frame that logs its calls.
struct FakeFrames: FrameService {
    enum Call: Hashable, Sendable {
        case frames(FrameQuery)
        case spans(FrameSpanQuery)
        case change(FrameChange)
        case delete(FrameSelection)
        case thumbnail(Int)
        case verify(VerificationRequest)
        case retention(RetentionRequest)
    }

    var stored = Samples.still(kept: true)
    /// File of the frame; nil for its picture.
    var file: StoredFile?
    var log = CallLog<Call>()
    /// True if the frame has the maximum number of tags.
    var isFull = false
    /// Failure of each change and deletion.
    var trouble: Problem?
    /// True if a filter matches the frame.
    var fits: @Sendable (FrameFilter) -> Bool = { _ in true }
    /// Unavailable spools.
    var silent: [String]? = ["usb"]
    /// Error thrown by every call that can throw.
    var failure: Problem?

    func frame(_ id: FrameID) async throws(Problem) -> FrameRecord {
        if let failure { throw failure }
        guard id == stored.record.id else {
            throw Problem(.frameNotFound, "There is no frame \(id).", remedy: "It may have been deleted.")
        }
        return Samples.frame(stored.record)
    }

    func file(of id: FrameID) async throws(Problem) -> StoredFile {
        _ = try await frame(id)
        return file ?? StoredFile(mediaType: "image/jpeg", stored.picture)
    }

    func thumbnail(of id: FrameID, width: Int) async throws(Problem) -> [UInt8] {
        _ = try await frame(id)
        log.add(.thumbnail(width))
        return Array(stored.picture.prefix(width))
    }

    func frames(_ query: FrameQuery) async throws(Problem) -> FramePage {
        if let failure { throw failure }
        log.add(.frames(query))
        return FramePage(
            frames: fits(query.filter) ? [Samples.frame(stored.record)] : [],
            next: FrameCursor(query.order, after: stored.record.id),
            unavailable: silent
        )
    }

    func spans(_ query: FrameSpanQuery) async throws(Problem) -> FrameSpanList {
        if let failure { throw failure }
        log.add(.spans(query))
        let spans = query.spans.map { span in
            FrameSpan(from: span.lowerBound, to: span.upperBound, frames: 3, newest: stored.record.id)
        }
        return FrameSpanList(spans: fits(query.filter) ? spans : [], unavailable: silent)
    }

    func frames(_ ids: Set<FrameID>, fitting filter: FrameFilter) async throws(Problem) -> Set<FrameID> {
        if let failure { throw failure }
        let found = ids.filter { $0 == stored.record.id && fits(filter) }
        if let silent, found.count < ids.count {
            throw Problem(.spoolUnavailable, "\(silent) does not answer.", remedy: "Ask again.")
        }
        return found
    }

    func apply(_ change: FrameChange) async throws(Problem) -> FrameOutcome {
        if let failure { throw failure }
        log.add(.change(change))
        if isFull { return FrameOutcome(refused: [stored.record.id]) }
        return outcome(change.selection)
    }

    func delete(_ selection: FrameSelection) async throws(Problem) -> FrameOutcome {
        if let failure { throw failure }
        log.add(.delete(selection))
        return outcome(selection)
    }

    func spools(within limit: Duration) async -> [SpoolReport] { [Samples.spool, Samples.deadSpool] }

    func conditions() -> [SpoolReport] { [Samples.spool, SpoolReport(spool: "b", folder: "/b", state: .available)] }

    func verify(_ request: VerificationRequest) async throws(Problem) -> VerificationList {
        if let failure { throw failure }
        log.add(.verify(request))
        let damaged = request.deep ? [Samples.id] : nil
        return VerificationList(
            reports: [VerificationReport(spool: "default", isDeep: request.deep, damaged: damaged)],
            unavailable: ["usb"]
        )
    }

    func retention(_ request: RetentionRequest) async throws(Problem) -> RetentionList {
        if let failure { throw failure }
        log.add(.retention(request))
        return RetentionList(reports: [Samples.retention(isDryRun: request.dryRun)], unavailable: ["usb"])
    }

    private func outcome(_ selection: FrameSelection) -> FrameOutcome {
        if let trouble { return FrameOutcome(failed: [stored.record.id], problem: trouble) }
        guard case .ids(let ids) = selection else { return FrameOutcome(changed: 1) }
        let missing = ids.filter { $0 != stored.record.id }
        return FrameOutcome(changed: ids.count - missing.count, missing: missing)
    }
}
