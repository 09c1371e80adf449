// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Whether what triggers derive from the rows of `frame` agrees with them: a program may have changed it, or a disk.
extension Catalog {
    /// Whether scale, class and tags of the rows from one id to another are as these say.
    func agrees(from first: FrameID, to last: FrameID) throws(Problem) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(sql: CatalogSchema.disagreement)
            return try Row.fetchOne(statement, arguments: [first.description, last.description]) == nil
        }
    }

    /// The classes that there are; makes what is derived again where one is damaged.
    func classes() throws(Problem) -> [FrameClass] {
        try read { try FrameClass.all($0, passingOver: isDerived) }
    }

    /// Whether a class has as many frames and bytes now as it says.
    func agrees(_ frames: FrameClass) throws(Problem) -> Bool {
        try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT (
                        SELECT count(*) = frameClass.frames AND ifnull(sum(frame.bytes), 0) = frameClass.bytes
                            FROM frame INDEXED BY frame_class WHERE \(Self.isOfClass)
                    ) FROM frameClass WHERE camera = ? AND verdict = ? AND settled = ? AND source = ? AND pinned = ?
                        AND isLost = ? AND scale = ?
                    """
            )
            let key: StatementArguments = [
                frames.camera, frames.verdict, frames.settled, frames.source, frames.isPinned ? 1 : 0,
                frames.isLost ? 1 : 0, frames.scale,
            ]
            // Its last frame may have gone.
            return try Int.fetchOne(statement, arguments: key) ?? 1 == 1
        }
    }

    /// Makes scale, classes and tags again.
    func derive() throws(Problem) { try perform("write") { try derive($0) } }
}
