// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// The totals of each camera by its name.
    ///
    /// Read from the classes, which have their own totals: it takes no longer with more frames.
    func totals() throws(Problem) -> [String: FrameTotals] {
        try read { database in
            var totals: [String: FrameTotals] = [:]
            let rows = try Row.fetchCursor(database, sql: Self.totalsOfClasses)
            while let row = try rows.next() {
                let frames: FrameClass
                let ends: [Timestamp]
                do {
                    frames = try FrameClass(row: row)
                    // A class without frames has none.
                    ends = try ["oldest", "newest"].map { try Self.end($0, of: row) }
                } catch {
                    guard isDerived else { throw error }
                    continue
                }
                let part = FrameTotals(
                    frames: frames.frames,
                    bytes: frames.isLost ? 0 : frames.bytes,
                    pinned: frames.isPinned ? frames.frames : 0,
                    lost: frames.isLost ? frames.frames : 0,
                    oldest: ends.first,
                    newest: ends.last
                )
                totals[frames.camera] = totals[frames.camera].map { $0 + part } ?? part
            }
            return totals
        }
    }

    private static func end(_ column: String, of row: Row) throws -> Timestamp {
        let time = try CheckedRow(row).integer(column, in: .min ... .max)
        // One that cannot be is of a damaged row, and found to be so when that is read.
        return Timestamp(microseconds: min(max(time, CheckedRow.moments.lowerBound), CheckedRow.moments.upperBound))
    }

    /// Each class with the times of its first and last frame.
    static let totalsOfClasses = """
        SELECT *, (\(end("ORDER BY frame.id"))) AS oldest, (\(end("ORDER BY frame.id DESC"))) AS newest FROM frameClass
        """

    private static func end(_ order: String) -> String {
        """
        SELECT frame.capturedAt FROM frame INDEXED BY frame_class WHERE \(isOfClass) \(order) LIMIT 1
        """
    }

    /// Whether a row of `frame` is of a row of `frameClass`.
    static let isOfClass = """
        frame.camera = frameClass.camera AND frame.verdict IS nullif(frameClass.verdict, '') \
        AND frame.settled IS nullif(frameClass.settled, -1) AND frame.source = frameClass.source \
        AND frame.pinned = frameClass.pinned AND frame.isLost = frameClass.isLost AND frame.scale = frameClass.scale
        """
}

extension FrameTotals {
    /// Both together.
    static func + (left: FrameTotals, right: FrameTotals) -> FrameTotals {
        FrameTotals(
            frames: left.frames + right.frames,
            bytes: left.bytes + right.bytes,
            pinned: left.pinned + right.pinned,
            lost: left.lost + right.lost,
            oldest: [left.oldest, right.oldest].compactMap(\.self).min(),
            newest: [left.newest, right.newest].compactMap(\.self).max()
        )
    }
}
