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

    /// The value of `condition` for all of them; nil if that differs from frame to frame.
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
    /// Reads a row, each column by its type and range; throws ``RowDamage``.
    init(row: Row) throws {
        let row = CheckedRow(row)
        self.init(
            camera: try row.value("camera") { CameraName.isValid($0) ? $0 : nil },
            verdict: try row.value("verdict") { $0.isEmpty || Verdict(rawValue: $0) != nil ? $0 : nil },
            settled: try row.int("settled", in: -1...1),
            source: try row.value("source") { FrameSource(rawValue: $0) == nil ? nil : $0 },
            isPinned: try row.flag("pinned"),
            isLost: try row.flag("isLost"),
            scale: try row.int("scale", in: 0...FrameSteps.largest),
            frames: try row.int("frames", in: 1...Self.most),
            // So many that no sum of some thousand classes is too great.
            bytes: try row.int("bytes", in: 0...Self.most)
        )
    }

    private static let most = 1 << 50

    /// All classes that have frames, without damaged ones where these are to be passed over; throws ``RowDamage``.
    static func all(_ database: Database, passingOver: Bool = false) throws -> [FrameClass] {
        try Row.fetchAll(database, sql: "SELECT * FROM frameClass").compactMap { row in
            passingOver ? try? FrameClass(row: row) : try FrameClass(row: row)
        }
    }
}

extension ClosedRange<Int> {
    /// Whether all numbers of this range are in `range`; nil if only some are.
    fileprivate func answer(within range: ClosedRange<Int>) -> Bool? {
        if range.lowerBound <= lowerBound, upperBound <= range.upperBound { return true }
        return overlaps(range) ? nil : false
    }
}
