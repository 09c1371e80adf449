// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Rows in the order of arrival in the spool, merged from the parts that the index `frame_number` keeps in order.
struct ArrivalOrder {
    var order = FrameOrder.oldest
    /// Nil for all cameras.
    var cameras: Set<String>?
    /// Include pinned and lost frames.
    let isPinned: Bool
    let isLost: Bool
    var stillsOnly = false

    typealias Place = (number: Int64, id: FrameID)

    /// Place behind all rows of a number.
    static func end(of number: Int64) -> Place { (number, FrameFilter.ids.upperBound) }

    /// Next rows after `last`; fewer than `limit` only at the end.
    func rows(after last: Place?, limit: Int, _ database: Database) throws -> [FrameRow] {
        let cameras = try Self.cameras(database).filter { self.cameras?.contains($0) ?? true }
        var rows: [FrameRow] = []
        var place = last
        while rows.count < limit {
            let wanted = limit - rows.count
            let next = try cameras.flatMap { try places(of: $0, after: place, wanted, database) }
                .sorted { order == .oldest ? $0 < $1 : $1 < $0 }.prefix(wanted)
            rows += try next.compactMap { try FrameRow.fetch($0.id, database) }
            guard next.count == wanted, let end = next.last else { break }
            // A damaged index can contain a cycle.
            if let place, !(order == .oldest ? place < end : end < place) {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the index frame_number is not in order")
            }
            place = end
        }
        return rows
    }

    /// Index positions of a camera, in order within each of its parts, starting after `place` if given.
    private func places(of camera: String, after place: Place?, _ limit: Int, _ database: Database) throws -> [Place] {
        let (bound, direction) = order == .oldest ? ("(number, id) > (?, ?)", "") : ("(number, id) < (?, ?)", "DESC")
        let sql = """
            SELECT number, id FROM frame INDEXED BY frame_number
                WHERE camera = ? AND isLost = ? AND pinned = ? AND \(place == nil ? "1" : bound)
                    \(stillsOnly ? "AND kind IS NULL" : "")
                ORDER BY number \(direction), id \(direction) LIMIT ?
            """
        let statement = try database.cachedStatement(sql: sql)
        let bounds = place.map { [$0.number.databaseValue, $0.id.databaseValue] } ?? []
        var places: [Place] = []
        for (pinned, lost) in [(0, 0), (1, 0), (0, 1), (1, 1)] where (isPinned || pinned == 0) && (isLost || lost == 0)
        {
            let key = [camera.databaseValue, lost.databaseValue, pinned.databaseValue]
            let arguments = StatementArguments(key + bounds + [limit.databaseValue])
            places += try Row.fetchAll(statement, arguments: arguments).map { row in
                let row = CheckedRow(row)
                return (try row.integer("number", in: FrameRow.numbers), try row.id("id"))
            }
        }
        return places
    }

    /// Table `present` of the names of the cameras with rows, found by one search of the index for each, and a NULL; on
    /// either connection.
    ///
    /// No column of `frame` is called `cameraName`: columns of filters are not qualified.
    static let presentCameras = """
        WITH RECURSIVE present(cameraName) AS (
            SELECT min(camera) FROM frame INDEXED BY frame_camera UNION ALL
            SELECT (SELECT min(camera) FROM frame INDEXED BY frame_camera WHERE camera > cameraName)
                FROM present WHERE cameraName IS NOT NULL
        )
        """

    private static func cameras(_ database: Database) throws -> [String] {
        let sql = "\(presentCameras) SELECT cameraName AS camera FROM present WHERE cameraName IS NOT NULL"
        return try Row.fetchAll(try database.cachedStatement(sql: sql)).map { try CheckedRow($0).camera() }
    }

    static func greatestNumber(_ database: Database) throws -> Int64 {
        let sql = """
            SELECT max((SELECT max(number) FROM frame WHERE frame.camera = cameraTotal.camera AND isLost = lost.value
                AND frame.pinned = pinned.value)) AS number
                FROM cameraTotal, json_each('[0, 1]') AS lost, json_each('[0, 1]') AS pinned
            """
        let row = try Row.fetchOne(database, sql: sql)
        return try row.flatMap { try CheckedRow($0).optionalInteger("number", in: FrameRow.numbers) } ?? 0
    }
}

extension FrameRow {
    var place: ArrivalOrder.Place { (number, still.id) }
}
