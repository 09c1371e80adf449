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
                let frames = FrameClass(row: row)
                let (oldest, newest): (Int64, Int64) = (row["oldest"], row["newest"])
                let part = FrameTotals(
                    frames: frames.frames,
                    bytes: frames.isLost ? 0 : frames.bytes,
                    pinned: frames.isPinned ? frames.frames : 0,
                    lost: frames.isLost ? frames.frames : 0,
                    oldest: Timestamp(microseconds: oldest),
                    newest: Timestamp(microseconds: newest)
                )
                totals[frames.camera] = totals[frames.camera].map { $0 + part } ?? part
            }
            return totals
        }
    }

    /// Each class with the times of its first and last frame.
    static let totalsOfClasses = """
        SELECT *, (\(end("ORDER BY frame.id"))) AS oldest, (\(end("ORDER BY frame.id DESC"))) AS newest FROM frameClass
        """

    private static func end(_ order: String) -> String {
        """
        SELECT frame.capturedAt FROM frame INDEXED BY frame_class WHERE frame.camera = frameClass.camera \
        AND frame.verdict IS nullif(frameClass.verdict, '') AND frame.settled IS nullif(frameClass.settled, -1) \
        AND frame.source = frameClass.source AND frame.pinned = frameClass.pinned \
        AND frame.isLost = frameClass.isLost AND frame.scale = frameClass.scale \(order) LIMIT 1
        """
    }
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
