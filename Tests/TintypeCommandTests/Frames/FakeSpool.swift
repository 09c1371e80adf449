// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// A spool behind a ``FakeDaemon`` that lists, changes and deletes its frames.
final class FakeSpool: Sendable {
    private let state: Mutex<[FrameRecord]>
    private let folder: String
    private let unavailable: [String]?
    private let step: Int
    private let shown: String?
    /// Frames that cannot be deleted, with the problem.
    private let kept = Mutex<(ids: Set<FrameID>, problem: Problem?)>(([], nil))

    /// Frames with damaged files.
    private let damaged = Mutex<Set<FrameID>>([])

    /// A spool of `count` frames, one second apart, in a folder that need not exist.
    ///
    /// The search for a page ends after `step` frames, matching or not. With `shown`, the client has access only to the
    /// frames of that camera.
    init(
        _ count: Int,
        folder: String = "/nowhere/spool",
        unavailable: [String]? = nil,
        step: Int = .max,
        shown: String? = nil
    ) {
        self.shown = shown
        self.folder = folder
        self.step = step
        self.unavailable = unavailable
        let records = (0..<count).map { index in
            let time = Timestamp(microseconds: 1_700_000_000_000_000 + Int64(index) * 1_000_000)
            var frame = Sample.frame
            frame.still.id = FrameID(at: time)
            frame.still.capturedAt = time
            frame.still.camera = index % 2 == 0 ? "front" : "back"
            frame.still.path = "\(folder)/\(frame.still.camera)/2023/11/14/\(Timestamp.pad(index, 6)).jpg"
            frame.still.bytes = Self.picture(index).count
            frame.pinned = index % 10 == 5
            return frame
        }
        state = Mutex(records)
    }

    var frames: [FrameRecord] { state.withLock(\.self) }

    /// The picture of frame `index`: not a JPEG file, with a length by index.
    static func picture(_ index: Int) -> [UInt8] {
        (0..<(100 + index % 50)).map { UInt8(truncatingIfNeeded: $0 + index) }
    }

    @Sendable func answer(_ request: FakeDaemon.Request) throws -> FakeDaemon.Reply {
        let parts = request.target.split(separator: "/").map(String.init)
        switch (request.method, parts.dropFirst().first, parts.dropFirst(2).first) {
        case ("POST", "frames", "query"): return .json(page(try WireFormat.decode(FrameQuery.self, from: request.body)))
        case ("PATCH", "frames", nil):
            let change = try WireFormat.decode(FrameChange.self, from: request.body)
            return .json(
                apply(change.selection) { frames, index in
                    frames[index].pinned = change.edit.pinned ?? frames[index].pinned
                    frames[index].still.tags = change.edit.applied(to: frames[index].still.tags ?? [])
                }
            )
        case ("DELETE", "frames", nil):
            let selection = try WireFormat.decode(FrameSelection.self, from: request.body)
            let (kept, problem) = self.kept.withLock(\.self)
            guard let problem, case .ids(let ids) = selection else {
                return .json(apply(selection) { frames, index in frames.remove(at: index) })
            }
            var outcome = apply(.ids(ids.filter { !kept.contains($0) })) { frames, index in frames.remove(at: index) }
            outcome.failed = ids.filter(kept.contains)
            if !outcome.failed.isEmpty { outcome.problem = problem }
            return .json(outcome)
        case ("GET", "frames", let id?):
            let all = frames
            guard let index = all.firstIndex(where: { $0.id.description == id }), !all[index].lost || parts.count < 4
            else { throw Problem(.frameNotFound, "No frame \(id) is stored.", remedy: "See the list.") }
            guard parts.count < 4 || !damaged.withLock({ $0.contains(all[index].id) }) else {
                throw Problem(.corruptOnly, "It is not the picture that was stored.", remedy: "Put it back.")
            }
            return parts.count < 4 ? .json(all[index]) : .http(200, ["Content-Type": "image/jpeg"], picture(all[index]))
        case ("GET", "spool", nil):
            return .json(SpoolList(spools: [SpoolReport(spool: "default", folder: folder, state: .available)]))
        default: throw Problem(.notFound, "There is nothing at \(request.target).", remedy: "Look elsewhere.")
        }
    }

    /// The picture of a frame, by the number in its file name.
    private func picture(_ frame: FrameRecord) -> [UInt8] {
        let name = frame.still.path?.split(separator: "/").last?.prefix { $0 != "." } ?? ""
        return Self.picture(Int(name) ?? 0)
    }

    func keep(_ ids: Set<FrameID>, _ problem: Problem) { kept.withLock { $0 = (ids, problem) } }

    func damage(_ index: Int) { damaged.withLock { _ = $0.insert(frames[index].id) } }

    func lose(_ index: Int) { state.withLock { $0[index].lost = true } }

    private func page(_ query: FrameQuery) -> FramePage {
        var all = frames.sorted { $0.id < $1.id }
        if query.order == .newest { all.reverse() }
        if let last = query.cursor?.last { all = all.filter { query.order == .newest ? $0.id < last : $0.id > last } }
        let looked = all.prefix(step)
        let fitting = looked.filter { frame in
            Self.fits(frame, query.filter) && (shown.map { $0 == frame.still.camera } ?? true)
        }
        let page = Array(fitting.prefix(query.limit))
        let end = page.count < fitting.count ? page.last : looked.count < all.count ? looked.last : nil
        let next = end.map { FrameCursor(query.order, after: $0.id) }
        return FramePage(frames: page, next: next, unavailable: unavailable)
    }

    private func apply(
        _ selection: FrameSelection,
        _ change: @Sendable (inout [FrameRecord], Int) -> Void
    ) -> FrameOutcome {
        guard case .ids(let ids) = selection else { return FrameOutcome() }
        return state.withLock { frames in
            var outcome = FrameOutcome()
            for id in ids {
                guard let index = frames.firstIndex(where: { $0.id == id }) else {
                    outcome.missing.append(id)
                    continue
                }
                change(&frames, index)
                outcome.changed += 1
            }
            return outcome
        }
    }

    private static func fits(_ frame: FrameRecord, _ filter: FrameFilter) -> Bool {
        switch filter {
        case .all(let filters): filters.allSatisfy { fits(frame, $0) }
        case .any(let filters): filters.contains { fits(frame, $0) }
        case .not(let filter): !fits(frame, filter)
        case .is(.camera(let name)): frame.still.camera == name
        case .is(.pinned(let isPinned)): frame.pinned == isPinned
        case .is(.id(let id)): frame.id == id
        case .is: false
        }
    }
}
