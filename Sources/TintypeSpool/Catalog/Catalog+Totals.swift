// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// Totals by camera, maintained by triggers: constant time per camera, however many frames.
    func totals() throws(Problem) -> [String: FrameTotals] {
        try read { database in
            var totals: [String: FrameTotals] = [:]
            let rows = try Row.fetchCursor(database, sql: Self.totalsOfCameras)
            while let row = try rows.next().map(CheckedRow.init) {
                totals[try row.camera()] = FrameTotals(
                    frames: try row.int("frames", in: 1...Self.mostFrames),
                    bytes: try row.int("bytes", in: 0...Self.mostFrames),
                    pinned: try row.int("pinned", in: 0...Self.mostFrames),
                    lost: try row.int("lost", in: 0...Self.mostFrames),
                    oldest: try row.moment("oldest"),
                    newest: try row.moment("newest")
                )
            }
            return totals
        }
    }

    /// Upper limit of each value, low enough that the sum over thousands of cameras does not overflow.
    private static let mostFrames = 1 << 50

    /// Each camera's totals, with the capture times of its first and last frame.
    private static let totalsOfCameras = """
        SELECT *, (\(end("id"))) AS oldest, (\(end("id DESC"))) AS newest FROM cameraTotal
        """

    private static func end(_ order: String) -> String {
        """
        SELECT capturedAt FROM frame WHERE id = (SELECT id FROM frame INDEXED BY frame_camera \
        WHERE frame.camera = cameraTotal.camera ORDER BY \(order) LIMIT 1)
        """
    }

    func cameras(_ database: Database) throws -> [String] {
        try Row.fetchAll(database, sql: "SELECT camera FROM cameraTotal").map { try CheckedRow($0).camera() }
    }
}

extension FrameTotals {
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
