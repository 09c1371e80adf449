// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Whether what triggers derive from the rows of `frame` agrees with them: a program may have changed it, or a disk.
extension Catalog {
    /// Whether cameras and tags of the rows from one id to another are among those that are known.
    func agrees(from first: FrameID, to last: FrameID) throws(Problem) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(sql: CatalogSchema.disagreement)
            return try Row.fetchOne(statement, arguments: [first.databaseValue, last.databaseValue]) == nil
        }
    }

    /// The names of the cameras that have frames; makes what is derived again where one is damaged.
    func cameras() throws(Problem) -> [String] { try read { try cameras($0) } }

    /// Whether a camera has as many frames and bytes now as its totals say.
    func agrees(_ camera: String) throws(Problem) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT (
                        SELECT count(*) = cameraTotal.frames
                            AND ifnull(sum(\(CatalogSchema.bytes("frame"))), 0) = cameraTotal.bytes
                            AND ifnull(sum(frame.pinned <> 0), 0) = cameraTotal.pinned
                            AND ifnull(sum(frame.isLost <> 0), 0) = cameraTotal.lost
                            FROM frame INDEXED BY frame_camera WHERE frame.camera = cameraTotal.camera
                    ) FROM cameraTotal WHERE camera = ?
                    """
            )
            // Its last frame may have gone.
            return try Int.fetchOne(statement, arguments: [camera]) ?? 1 == 1
        }
    }

    /// Makes totals and tags again.
    func derive() throws(Problem) { try perform("write") { try derive($0) } }
}
