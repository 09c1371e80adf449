// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Frames that one index has in the order of their ids.
enum FrameStream: Hashable {
    /// All of them, by the primary key.
    case everything
    /// Those of a class, by `frame_class`, which has all that a filter asks for.
    case ofClass(FrameClass)
    /// Those of a camera that have a tag, by the primary key of `frameTag`.
    case tagged(String, camera: String)
    /// Those of a camera that have a tag as a pattern says, sorted when they are read: there should be few.
    case taggedAs(String, camera: String)

    /// Whether all of it is read and sorted whenever a part is.
    var isSorted: Bool {
        if case .taggedAs = self { true } else { false }
    }

    /// The ids of those between two texts, neither included, that fit `filter`: the first ones in `order`.
    ///
    /// ``arguments(from:to:filter:limit:)`` has the values of its parameters.
    func sql(_ order: FrameOrder, checking filter: SQLText?) -> String {
        var sql = SQLText()
        switch self {
        case .everything: sql.append("SELECT frame.id FROM frame WHERE frame.id > ? AND frame.id < ?")
        case .ofClass:
            sql.append(
                """
                SELECT frame.id FROM frame INDEXED BY frame_class WHERE frame.camera = ? AND frame.verdict IS ? \
                AND frame.settled IS ? AND frame.source = ? AND frame.pinned = ? AND frame.isLost = ? \
                AND frame.scale = ? AND frame.id > ? AND frame.id < ?
                """
            )
        case .tagged, .taggedAs:
            sql.append("SELECT frameTag.frame FROM frameTag")
            if filter != nil { sql.append(" CROSS JOIN frame ON frame.id = frameTag.frame") }
            sql.append(" WHERE ")
            if case .taggedAs = self { sql.append("frameTag.tag >= ? AND frameTag.tag < ? AND frameTag.tag GLOB ?") }
            if case .tagged = self { sql.append("frameTag.tag = ?") }
            sql.append(" AND frameTag.camera = ? AND frameTag.frame > ? AND frameTag.frame < ?")
        }
        if let filter {
            sql.append(" AND ")
            sql.append(filter)
        }
        switch order {
        case .newest: sql.append(" ORDER BY 1 DESC LIMIT ?")
        case .oldest: sql.append(" ORDER BY 1 LIMIT ?")
        }
        return sql.text
    }

    /// The arguments of ``sql(_:checking:)``.
    func arguments(from low: String, to high: String, filter: SQLText?, limit: Int) -> StatementArguments {
        let bounds = [low.databaseValue, high.databaseValue]
        return StatementArguments(key + bounds + (filter?.arguments ?? []) + [limit.databaseValue])
    }

    private var key: [DatabaseValue] {
        switch self {
        case .everything: []
        case .ofClass(let frames):
            [
                frames.camera.databaseValue,
                frames.verdict.isEmpty ? .null : frames.verdict.databaseValue,
                frames.settled < 0 ? .null : frames.settled.databaseValue,
                frames.source.databaseValue,
                (frames.isPinned ? 1 : 0).databaseValue,
                (frames.isLost ? 1 : 0).databaseValue,
                frames.scale.databaseValue,
            ]
        case .tagged(let tag, let camera): [tag.databaseValue, camera.databaseValue]
        case .taggedAs(let pattern, let camera):
            // No character of a tag comes behind '~'.
            [pattern.beginning, pattern.beginning + "~", pattern.glob, camera].map(\.databaseValue)
        }
    }
}
