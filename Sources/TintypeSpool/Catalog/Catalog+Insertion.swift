// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// Inserts rows in one transaction; durable on return if `isDurable`.
    ///
    /// Each row gets the next ``FrameRow/number``; a picture found without a row gets the number of its capture
    /// time. A tombstone on one of the paths is deleted, since another picture now has the name.
    func insert(_ rows: [FrameRow], isDurable: Bool, at now: Timestamp) throws(Problem) {
        var last = lastNumber
        let numbered = rows.map { row in
            var row = row
            let isFound = row.source == .reconcile
            if !isFound { last = max(last + 1, FrameRow.number(at: now)) }
            row.number = isFound ? FrameRow.number(at: row.capturedAt) : last
            return row
        }
        try write(isDurable: isDurable) { database in for row in numbered { try row.insert(database) } }
        lastNumber = numbered.reduce(last) { max($0, $1.number) }
    }

    /// Greatest number of any row, or 0.
    static func greatestNumber(_ database: Database) throws -> Int64 {
        let sql = """
            SELECT max((SELECT max(number) FROM frame WHERE frame.camera = cameraTotal.camera AND isLost = lost.value
                AND frame.pinned = pinned.value)) AS number
                FROM cameraTotal, json_each('[0, 1]') AS lost, json_each('[0, 1]') AS pinned
            """
        let row = try Row.fetchOne(database, sql: sql)
        return try row.flatMap { try CheckedRow($0).optionalInteger("number", in: FrameRow.numbers) } ?? 0
    }

    /// Position in the index `frame_number`.
    private typealias Place = (number: Int64, id: FrameID)

    /// Rows that the index `frame_number` keeps in order.
    private typealias Stream = (camera: String, isLost: Bool, isPinned: Bool)

    /// Next rows after `last`, or after all rows of a number, in order of arrival in the spool.
    ///
    /// Returns fewer than `limit` only at the end. A nil `cameras` means all cameras. Pinned and lost frames are
    /// included only on request.
    func inOrder(
        _ order: FrameOrder = .oldest,
        of cameras: Set<String>? = nil,
        pinned: Bool,
        lost: Bool,
        after last: FrameRow? = nil,
        afterNumber number: Int64? = nil,
        limit: Int
    ) throws(Problem) -> [FrameRow] {
        try read { database in
            let streams = try streams(of: cameras, pinned: pinned, lost: lost, database)
            let one = try database.cachedStatement(sql: "SELECT * FROM frame WHERE id = ?")
            var rows: [FrameRow] = []
            var place = number.map { ($0, FrameFilter.ids.upperBound) } ?? last.map { ($0.number, $0.id) }
            while rows.count < limit {
                let wanted = limit - rows.count
                let places = try streams.flatMap { try Self.places(of: $0, order, after: place, wanted, database) }
                    .sorted { order == .oldest ? $0 < $1 : $1 < $0 }.prefix(wanted)
                for place in places {
                    if let row = try FrameRow.fetchOne(one, arguments: [place.id.databaseValue]) { rows.append(row) }
                }
                guard places.count == wanted, let end = places.last else { break }
                // A damaged index can contain a cycle.
                if let place, !(order == .oldest ? place < end : end < place) {
                    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the index frame_number is not in order")
                }
                place = end
            }
            return rows
        }
    }

    private func streams(of cameras: Set<String>?, pinned: Bool, lost: Bool, _ database: Database) throws -> [Stream] {
        try self.cameras(database).filter { cameras?.contains($0) ?? true }.flatMap { camera in
            [false, true].filter { pinned || !$0 }.flatMap { isPinned in
                [false, true].filter { lost || !$0 }.map { (camera, $0, isPinned) }
            }
        }
    }

    /// Index positions of a stream in order, starting after `place` if given.
    private static func places(
        of stream: Stream,
        _ order: FrameOrder,
        after place: Place?,
        _ limit: Int,
        _ database: Database
    ) throws -> [Place] {
        let (bound, direction) = order == .oldest ? ("(number, id) > (?, ?)", "") : ("(number, id) < (?, ?)", "DESC")
        let sql = """
            SELECT number, id FROM frame INDEXED BY frame_number
                WHERE camera = ? AND isLost = ? AND pinned = ? AND \(place == nil ? "1" : bound)
                ORDER BY number \(direction), id \(direction) LIMIT ?
            """
        let key: [DatabaseValue] = [
            stream.camera.databaseValue, (stream.isLost ? 1 : 0).databaseValue, (stream.isPinned ? 1 : 0).databaseValue,
        ]
        let bounds = place.map { [$0.number.databaseValue, $0.id.databaseValue] } ?? []
        let arguments = StatementArguments(key + bounds + [limit.databaseValue])
        return try Row.fetchAll(try database.cachedStatement(sql: sql), arguments: arguments).map { row in
            let row = CheckedRow(row)
            return (try row.integer("number", in: FrameRow.numbers), try row.id("id"))
        }
    }
}
