// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Totals of each camera, and numbers of deliveries of each job, in TEMP tables: other programs cannot change what
/// retention relies on.
///
/// TEMP triggers apply each change of the rows by this connection, and undo it with a rolled back transaction.
final class CameraTotals {
    private let connection: CatalogConnection
    /// Version of the database for which the rows were counted.
    private var counted: Int64?

    init(_ connection: CatalogConnection, _ queue: DatabaseQueue) throws {
        self.connection = connection
        counted = try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    CREATE TEMP TABLE cameraTotal (
                        camera TEXT NOT NULL PRIMARY KEY, frames INTEGER NOT NULL, bytes INTEGER NOT NULL,
                        pinned INTEGER NOT NULL, lost INTEGER NOT NULL, films INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE TEMP TABLE deliveryCount (
                        job TEXT NOT NULL, state TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (job, state)
                    ) STRICT, WITHOUT ROWID;
                    """
            )
            for (table, columns, add) in [
                ("frame", "camera, bytes, pinned, isLost, kind", Self.addFrame),
                ("delivery", "state", Self.addDelivery),
            ] {
                for (event, statements) in [
                    ("INSERT", [add("NEW", 1)]), ("DELETE", [add("OLD", -1)]),
                    ("UPDATE OF \(columns)", [add("OLD", -1), add("NEW", 1)]),
                ] {
                    let trigger = "\(table)_\(event.prefix(6)) AFTER \(event) ON main.\(table)"
                    let body = statements.joined(separator: " ")
                    try database.execute(sql: "CREATE TEMP TRIGGER \(trigger) BEGIN \(body) END")
                }
            }
            return try Self.count(in: database)
        }
    }

    /// Totals by camera, in constant time per camera, however many frames; if `timed`, with the capture times of its first
    /// and last frame, which take two searches for each camera.
    func totals(timed: Bool) throws(Problem) -> [String: FrameTotals] {
        try recountAfterForeignChange()
        return try connection.read { database in
            var totals: [String: FrameTotals] = [:]
            let sql = timed ? Self.timedTotals : "SELECT * FROM cameraTotal"
            let rows = try Row.fetchCursor(try database.cachedStatement(sql: sql))
            while let row = try rows.next().map(CheckedRow.init) {
                totals[try row.camera()] = FrameTotals(
                    frames: try row.int("frames", in: 0...Self.most),
                    bytes: try row.int("bytes", in: 0...Self.most),
                    pinned: try row.int("pinned", in: 0...Self.most),
                    lost: try row.int("lost", in: 0...Self.most),
                    films: try row.int("films", in: 0...Self.most),
                    oldest: timed ? try row.moment("oldest") : nil,
                    newest: timed ? try row.moment("newest") : nil
                )
            }
            return totals
        }
    }

    /// Counts the rows again if another program has changed the catalog since the last count.
    func recountAfterForeignChange() throws(Problem) {
        guard try connection.read({ try Self.version(of: $0) }) != counted else { return }
        counted = try connection.perform("read") { queue in
            try queue.writeWithoutTransaction { database in
                var version: Int64?
                try database.inTransaction(.deferred) {
                    version = try Self.count(in: database)
                    return .commit
                }
                return version
            }
        }
    }

    /// Upper limit of each value, low enough that the sum over thousands of cameras does not overflow.
    private static let most = 1 << 50

    private static let timedTotals = """
        SELECT *, (\(end("id"))) AS oldest, (\(end("id DESC"))) AS newest FROM cameraTotal
        """

    private static func end(_ order: String) -> String {
        """
        SELECT capturedAt FROM frame WHERE id = (SELECT id FROM frame INDEXED BY frame_camera \
        WHERE frame.camera = cameraTotal.camera ORDER BY \(order) LIMIT 1)
        """
    }

    /// Counts all rows, in one pass through each index; returns the counted version.
    private static func count(in database: Database) throws -> Int64? {
        try database.execute(
            sql: """
                DELETE FROM temp.cameraTotal;
                INSERT INTO temp.cameraTotal
                    SELECT camera, sum(kind IS NULL), sum(\(bytes("frame"))), sum(kind IS NULL AND pinned <> 0),
                        sum(kind IS NULL AND isLost <> 0), sum(kind IS NOT NULL)
                        FROM main.frame INDEXED BY frame_camera GROUP BY camera;
                DELETE FROM temp.deliveryCount;
                INSERT INTO temp.deliveryCount
                    SELECT job, 'pending', count(*) FROM main.delivery INDEXED BY delivery_pending
                        WHERE state = 'pending' GROUP BY job
                    UNION ALL
                    SELECT job, 'failed', count(*) FROM main.delivery INDEXED BY delivery_failed
                        WHERE state = 'failed' GROUP BY job
                """
        )
        return try version(of: database)
    }

    /// Changes with each commit of another connection (SQLite, `PRAGMA data_version`).
    private static func version(of database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "PRAGMA data_version")
    }

    /// Size of a frame in the totals; a lost file counts as 0 bytes, and no sum overflows.
    private static func bytes(_ row: String) -> String { "(\(row).isLost = 0) * max(0, min(\(row).bytes, 1 << 40))" }

    private static func addDelivery(_ row: String, _ change: Int) -> String {
        """
        INSERT INTO deliveryCount SELECT \(row).job, \(row).state, \(change) WHERE \(row).state IN ('pending', 'failed')
            ON CONFLICT DO UPDATE SET count = count + excluded.count;
        """
    }

    /// Statements that add a frame to the totals, or subtract it: films and clips count by number and bytes only.
    private static func addFrame(_ row: String, _ change: Int) -> String {
        let columns = ["frames", "bytes", "pinned", "lost", "films"]
        let still = "(\(row).kind IS NULL)"
        let values = [
            still, bytes(row), "\(still) * (\(row).pinned <> 0)", "\(still) * (\(row).isLost <> 0)", "(NOT \(still))",
        ]
        return """
            INSERT INTO cameraTotal (camera, \(columns.joined(separator: ", ")))
                VALUES (\(row).camera, \(values.map { "\(change) * \($0)" }.joined(separator: ", ")))
                ON CONFLICT DO UPDATE SET \(columns.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", "));
            DELETE FROM cameraTotal WHERE camera = \(row).camera AND frames = 0 AND films = 0;
            """
    }
}

extension FrameTotals {
    static func + (left: FrameTotals, right: FrameTotals) -> FrameTotals {
        FrameTotals(
            frames: left.frames + right.frames,
            bytes: left.bytes + right.bytes,
            pinned: left.pinned + right.pinned,
            lost: left.lost + right.lost,
            films: (left.films ?? 0) + (right.films ?? 0),
            oldest: [left.oldest, right.oldest].compactMap(\.self).min(),
            newest: [left.newest, right.newest].compactMap(\.self).max()
        )
    }
}
