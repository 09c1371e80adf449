// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// The totals of each camera by its name, which triggers keep: it takes no longer with more frames.
    func totals() throws(Problem) -> [String: FrameTotals] {
        try read { database in
            var totals: [String: FrameTotals] = [:]
            let rows = try Row.fetchCursor(database, sql: Self.totalsOfCameras)
            while let row = try rows.next() {
                do {
                    let row = CheckedRow(row)
                    // A camera without frames has none.
                    let ends = try ["oldest", "newest"].map { try Self.end($0, of: row) }
                    totals[try row.value("camera") { CameraName.isValid($0) ? $0 : nil }] = FrameTotals(
                        frames: try row.int("frames", in: 1...Self.mostFrames),
                        bytes: try row.int("bytes", in: 0...Self.mostFrames),
                        pinned: try row.int("pinned", in: 0...Self.mostFrames),
                        lost: try row.int("lost", in: 0...Self.mostFrames),
                        oldest: ends.first,
                        newest: ends.last
                    )
                } catch {
                    guard isDerived else { throw error }
                    continue
                }
            }
            return totals
        }
    }

    /// So many that no sum of some thousand cameras is too great.
    private static let mostFrames = 1 << 50

    private static func end(_ column: String, of row: CheckedRow) throws -> Timestamp {
        let time = try row.integer(column, in: .min ... .max)
        // One that cannot be is of a damaged row, and found to be so when that is read.
        return Timestamp(microseconds: min(max(time, CheckedRow.moments.lowerBound), CheckedRow.moments.upperBound))
    }

    /// Each camera with the times of its first and last frame.
    static let totalsOfCameras = """
        SELECT *, (\(end("id"))) AS oldest, (\(end("id DESC"))) AS newest FROM cameraTotal
        """

    private static func end(_ order: String) -> String {
        """
        SELECT capturedAt FROM frame WHERE id = (SELECT id FROM frame INDEXED BY frame_camera \
        WHERE frame.camera = cameraTotal.camera ORDER BY \(order) LIMIT 1)
        """
    }

    /// The names of the cameras that have frames.
    func cameras(_ database: Database) throws -> [String] {
        try Row.fetchAll(database, sql: "SELECT camera FROM cameraTotal").compactMap { row in
            let row = CheckedRow(row)
            func name() throws -> String { try row.value("camera") { CameraName.isValid($0) ? $0 : nil } }
            return isDerived ? try? name() : try name()
        }
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
