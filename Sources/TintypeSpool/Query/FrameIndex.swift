// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// The index that a search goes through, in the order of ids: that of one condition, or of a pair of them, which every frame
/// that fits has to meet.
///
/// An index of one of the usual conditions (camera, tag, pinned, verdict) has the columns of the others, so that a pair of
/// them is decided in it. Pairs of which few frames may fit among many of either have indexes of their own.
enum FrameIndex: Hashable {
    /// All frames.
    case everything
    /// Those with a tag.
    case tag(String)
    /// Those with a tag, of a camera.
    case tagAndCamera(String, String)
    /// Those with a tag, of a verdict other than intact.
    case tagAndVerdict(String, Verdict)
    /// The pinned ones.
    case pinned
    /// Those whose file is gone.
    case lost
    /// Those of a camera.
    case camera(String)
    /// Those of a camera, of a verdict other than intact.
    case cameraAndVerdict(String, Verdict)
    /// Those of a verdict.
    case verdict(Verdict)

    /// The index with the fewest entries, by the kind of condition, for frames that `filter` fits.
    init(for filter: FrameFilter) {
        var (tag, camera, verdict): (String?, String?, Verdict?)
        var (isPinned, isLost) = (false, false)
        for condition in filter.necessary {
            switch condition {
            case .tag(let pattern) where !pattern.isPattern: tag = tag ?? pattern
            case .camera(let pattern) where !pattern.isPattern: camera = camera ?? pattern
            case .verdict(let wanted): verdict = verdict ?? wanted
            case .pinned(true): isPinned = true
            case .lost(true): isLost = true
            default: break
            }
        }
        let faulty = verdict == .intact ? nil : verdict
        self =
            switch (tag, camera, verdict) {
            case _ where isLost: .lost
            case _ where isPinned: .pinned
            case (let tag?, let camera?, _): .tagAndCamera(tag, camera)
            case (let tag?, nil, _): faulty.map { .tagAndVerdict(tag, $0) } ?? .tag(tag)
            case (nil, let camera?, _): faulty.map { .cameraAndVerdict(camera, $0) } ?? .camera(camera)
            case (nil, nil, let verdict?): .verdict(verdict)
            case (nil, nil, nil): .everything
            }
    }

    /// The entries of the index, as in `FROM … WHERE …`.
    var entries: SQLText {
        switch self {
        case .everything: SQLText("FROM frame INDEXED BY sqlite_autoindex_frame_1 WHERE 1")
        case .tag(let tag): SQLText("FROM frameTag INDEXED BY sqlite_autoindex_frameTag_1 WHERE tag = ", tag)
        case .tagAndCamera(let tag, let camera):
            SQLText("FROM frameTag INDEXED BY frameTag_camera WHERE tag = ", tag, " AND camera = ", camera)
        case .tagAndVerdict(let tag, let verdict):
            SQLText(
                "FROM frameTag INDEXED BY frameTag_verdict WHERE verdict <> 'intact' AND tag = ",
                tag,
                " AND verdict = ",
                verdict.rawValue
            )
        case .pinned: SQLText("FROM frame INDEXED BY frame_pinned WHERE pinned = 1")
        case .lost: SQLText("FROM frame INDEXED BY frame_lost WHERE isLost = 1")
        case .camera(let camera): SQLText("FROM frame INDEXED BY frame_camera WHERE camera = ", camera)
        case .cameraAndVerdict(let camera, let verdict):
            SQLText(
                "FROM frame INDEXED BY frame_faulty WHERE verdict <> 'intact' AND camera = ",
                camera,
                " AND verdict = ",
                verdict.rawValue
            )
        case .verdict(let verdict): SQLText("FROM frame INDEXED BY frame_verdict WHERE verdict = ", verdict.rawValue)
        }
    }

    /// The tag whose frames it has.
    private var tag: String? {
        switch self {
        case .tag(let tag), .tagAndCamera(let tag, _), .tagAndVerdict(let tag, _): tag
        case .everything, .pinned, .lost, .camera, .cameraAndVerdict, .verdict: nil
        }
    }

    /// What an entry has to meet for its frame to fit `filter`.
    func check(_ filter: FrameFilter) -> SQLText {
        guard let tag else { return filter.sql }
        let rest = filter.without(.tag(tag))
        // These `frameTag` has, too.
        let isInTable = rest.conditions.allSatisfy { condition in
            switch condition {
            case .camera, .verdict, .id: true
            case .from(let time), .to(let time): time.isWholeMillisecond
            default: false
            }
        }
        guard !isInTable else { return rest.sql }
        var sql = SQLText("EXISTS (SELECT 1 FROM frame WHERE frame.id = frameTag.id AND ")
        sql.append(rest.sql)
        sql.append(")")
        return sql
    }
}

extension FrameFilter {
    /// Conditions that every frame which fits has to meet.
    fileprivate var necessary: [FrameCondition] {
        switch self {
        case .all(let filters): filters.flatMap(\.necessary)
        case .any(let filters): filters.count == 1 ? filters[0].necessary : []
        case .not: []
        case .is(let condition): [condition]
        }
    }

    /// All its conditions.
    fileprivate var conditions: [FrameCondition] {
        switch self {
        case .all(let filters), .any(let filters): filters.flatMap(\.conditions)
        case .not(let filter): filter.conditions
        case .is(let condition): [condition]
        }
    }

    /// The same for frames that meet one of its ``necessary`` conditions.
    fileprivate func without(_ condition: FrameCondition) -> FrameFilter {
        switch self {
        case .all(let filters): .all(filters.map { $0.without(condition) })
        case .any(let filters) where filters.count == 1: filters[0].without(condition)
        case .is(condition): .everything
        default: self
        }
    }

    /// Between which ids those are of frames that fit, as far as its times tell.
    var bounds: Range<FrameID> {
        switch self {
        case .all(let filters): return filters.reduce(Self.all) { $0.clamped(to: $1.bounds) }
        case .any(let filters):
            let all = filters.map(\.bounds).filter { !$0.isEmpty }
            guard let low = all.map(\.lowerBound).min(), let high = all.map(\.upperBound).max() else {
                return Self.all.lowerBound..<Self.all.lowerBound
            }
            return low..<high
        case .not: return Self.all
        case .is(.from(let time)): return FrameID(firstOf: time)..<Self.all.upperBound
        // Frames of before 1970 are in the first millisecond.
        case .is(.to(let time)): return Self.all.lowerBound..<FrameID(firstOf: max(0, time.microseconds / 1000) + 1)
        case .is(.id(let id)): return id..<id.next
        case .is: return Self.all
        }
    }

    private static let all = FrameID(firstOf: 0)..<FrameID(firstOf: .max)
}

extension FrameID {
    /// The first that an id of the millisecond of that time can be.
    init(firstOf time: Timestamp) { self.init(firstOf: time.microseconds / 1000) }
}

extension Timestamp {
    /// Whether an id tells if a frame is of before it: ids have milliseconds, and those of before 1970 have the first.
    var isWholeMillisecond: Bool { microseconds > 0 && microseconds % 1000 == 0 }
}
