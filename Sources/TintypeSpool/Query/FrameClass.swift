// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// All frames that have in common what has few values: there are some dozens of classes in a spool, rarely some hundreds.
struct FrameClass: Hashable, Sendable {
    var camera: String
    /// Empty where it is not known.
    var verdict: String
    /// -1 where it is not known.
    var settled: Int
    var source: String
    var isPinned: Bool
    var isLost: Bool
    /// About how large they are: see ``FrameSteps``.
    var scale: Int
    /// How many there are.
    var frames: Int
    /// The bytes of all of them.
    var bytes: Int

    /// What `condition` is for all of them; nil where that differs from frame to frame.
    func answer(_ condition: FrameCondition) -> Bool? {
        switch condition {
        case .camera(let name): NamePattern.matches(name, camera)
        case .verdict(let verdict): self.verdict == verdict.rawValue
        case .settled(let isSettled): settled == (isSettled ? 1 : 0)
        case .pinned(let isPinned): self.isPinned == isPinned
        case .lost(let isLost): self.isLost == isLost
        case .source(let source): self.source == source.rawValue
        case .measure(let measure, let range):
            FrameSteps.numbers(of: measure, scale: scale).answer(within: range)
        case .tag, .id, .from, .to, .since: nil
        }
    }
}

extension FrameClass: FetchableRecord {
    init(row: Row) {
        self.init(
            camera: row["camera"],
            verdict: row["verdict"],
            settled: row["settled"],
            source: row["source"],
            isPinned: row["pinned"] as Int64 != 0,
            isLost: row["isLost"] as Int64 != 0,
            scale: row["scale"],
            frames: row["frames"],
            bytes: row["bytes"]
        )
    }

    /// All classes that have frames.
    static func all(_ database: Database) throws -> [FrameClass] {
        try fetchAll(database, sql: "SELECT * FROM frameClass")
    }
}

extension ClosedRange<Int> {
    /// Whether all numbers of this range are in `range`; nil if only some are.
    fileprivate func answer(within range: ClosedRange<Int>) -> Bool? {
        if range.lowerBound <= lowerBound, upperBound <= range.upperBound { return true }
        return overlaps(range) ? nil : false
    }
}
