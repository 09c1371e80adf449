// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import TestSupport

/// One way to spoil a closed spool's catalog, drawn from a seed: the same for the same seed.
struct CatalogMutation {
    private var numbers: SeededGenerator
    private let folder: SpoolFolder
    /// What was done, for a failure's report.
    private(set) var steps: [String] = []

    /// Spoils the catalog in `folder` one to three times.
    static func apply(seed: UInt64, to folder: SpoolFolder) throws -> [String] {
        var mutation = CatalogMutation(numbers: SeededGenerator(seed: seed), folder: folder)
        for _ in 0..<Int.random(in: 1...3, using: &mutation.numbers) {
            switch Int.random(in: 0..<10, using: &mutation.numbers) {
            case 0..<5: mutation.changeCell()
            case 5..<7: mutation.changeSchema()
            case 7..<9: try mutation.changeBytes()
            default: try mutation.changeNote()
            }
        }
        return mutation.steps
    }

    private init(numbers: SeededGenerator, folder: SpoolFolder) {
        (self.numbers, self.folder) = (numbers, folder)
    }

    /// Values that some column or other does not expect.
    private static let values = [
        "NULL", "''", "0", "1", "-1", "-9223372036854775808", "9223372036854775807", "4611686018427387904", "1e300",
        "x'00ff'", "'ghost'", "'../../outside.jpg'", "'door/../../outside.jpg'", "'/etc/passwd'", "'door/latest.jpg'",
        "'intact'", "'a,,b'", "'\u{1B}[31m'", "hex(zeroblob(40000))", "'00000000-0000-0000-0000-000000000000'",
        "zeroblob(16)", "randomblob(16)", "zeroblob(17)", "randomblob(32)", "'zzz'", "2 * 3", "json_array(1)",
    ]

    private static let columns = [
        "frame": [
            "id", "camera", "path", "bytes", "width", "height", "sequence", "capturedAt", "timestampSource",
            "uncertaintyNs", "storedAt", "stored", "sha256", "bootID", "storedMonotonicNs", "isClockSynchronized",
            "settled", "verdict", "faults", "appearance", "tags", "average", "gapNs", "source", "pinned", "isLost",
            "number",
        ],
        "cameraTotal": ["camera", "frames", "bytes", "pinned", "lost"], "frameTag": ["tag", "id", "camera", "verdict"],
        "tombstone": ["path", "id", "deletedAt", "sha256"],
        "grdb_migrations": ["identifier"],
    ]

    private mutating func changeCell() {
        let table = numbers.pick(Self.columns.keys.sorted())
        let columns = Self.columns[table] ?? []
        // The triggers would put much of it right.
        if Bool.random(using: &numbers) {
            run("SELECT 1", of: "trigger", drop: true)
        }
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: run("DELETE FROM \(table)")
        case 1:
            let values = columns.map { _ in numbers.pick(Self.values) }.map { $0.contains("id)") ? "'id'" : $0 }
            run("INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))")
        case 2:
            run("INSERT INTO cameraTotal VALUES ('ghost', 3, 9223372036854775807, 0, 0)")
        case 3:
            run("UPDATE OR IGNORE \(table) SET \(numbers.pick(columns)) = \(numbers.pick(Self.values))")
        default:
            let column = numbers.pick(columns)
            // Of one row.
            let one = "(SELECT \(columns[0]) FROM \(table) ORDER BY random() LIMIT 1)"
            run("UPDATE OR IGNORE \(table) SET \(column) = \(numbers.pick(Self.values)) WHERE \(columns[0]) = \(one)")
        }
    }

    private static let schemas = [
        "DROP TABLE cameraTotal", "DROP TABLE frame", "DROP TABLE frameTag", "DROP TABLE tombstone",
        "DROP TABLE grdb_migrations", "DROP INDEX frame_camera", "DROP INDEX frame_number",
        "DROP TRIGGER frame_inserted",
        "DROP TRIGGER frame_deleted", "ALTER TABLE frame RENAME COLUMN pinned TO held",
        "ALTER TABLE frame ADD COLUMN more TEXT", "ALTER TABLE frameTag RENAME TO tags",
        "CREATE TRIGGER evil AFTER INSERT ON frame BEGIN DELETE FROM frame; END",
        "CREATE TRIGGER slow AFTER INSERT ON frame BEGIN "
            + "INSERT INTO tombstone WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            + "SELECT i, i, i, i FROM n; END",
        "ALTER TABLE frame RENAME TO hidden; CREATE VIEW frame AS "
            + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS pinned FROM n",
        "DROP TABLE tombstone; CREATE VIEW tombstone AS "
            + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS path FROM n",
        "DROP TABLE grdb_migrations; CREATE VIEW grdb_migrations AS "
            + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS identifier FROM n",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '')",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'nothing' WHERE name = 'frame'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT max(rootpage) FROM sqlite_schema)",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 900000 WHERE name = 'frame_camera'",
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'frame'",
        "PRAGMA user_version = 0", "PRAGMA user_version = -5", "PRAGMA application_id = 7", "ANALYZE",
        "CREATE TABLE mine (x)", "PRAGMA journal_mode = DELETE",
    ]

    private mutating func changeSchema() { run(numbers.pick(Self.schemas)) }

    private mutating func changeBytes() throws {
        var bytes = try folder.bytes("catalog.sqlite")
        guard !bytes.isEmpty else { return }
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0:
            let count = Int.random(in: 0..<bytes.count, using: &numbers)
            steps.append("cut to \(count)")
            bytes.removeLast(bytes.count - count)
        case 1:
            let (from, to) = (page(bytes), page(bytes))
            steps.append("page \(to) as page \(from)")
            for offset in 0..<4096 where max(from, to) * 4096 + offset < bytes.count {
                bytes[to * 4096 + offset] = bytes[from * 4096 + offset]
            }
        default:
            for _ in 0..<Int.random(in: 1...40, using: &numbers) {
                // Pages begin with what leads to others.
                let offset = Int.random(in: 0..<(Bool.random(using: &numbers) ? 64 : 4096), using: &numbers)
                let place = page(bytes) * 4096 + offset
                guard place < bytes.count else { continue }
                bytes[place] = UInt8.random(in: .min ... .max, using: &numbers)
                steps.append("byte \(place) is \(bytes[place])")
            }
        }
        try folder.write(bytes, to: "catalog.sqlite")
    }

    private mutating func page(_ bytes: [UInt8]) -> Int {
        Int.random(in: 0..<max(1, bytes.count / 4096), using: &numbers)
    }

    private mutating func changeNote() throws {
        let name = numbers.pick([".clock", ".catalog-salvage", ".catalog-damaged", "catalog.sqlite-wal", ".lock"])
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0:
            steps.append("\(name) of 8 TiB")
            try folder.makeSparse(name, 8 << 40)
        case 1:
            steps.append("\(name) removed")
            try? folder.remove(name)
        default:
            steps.append("\(name) of noise")
            try folder.write((0..<300).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }, to: name)
        }
    }

    /// Runs SQL in a connection of its own; what it refuses is left undone.
    private mutating func run(_ sql: String, of kind: String? = nil, drop: Bool = false) {
        steps.append(drop ? "triggers dropped" : sql)
        guard let queue = try? DatabaseQueue(path: "\(folder.path)/catalog.sqlite") else { return }
        try? queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            if let kind {
                // As they were: whether the schema is ours is not what this is about.
                let sql = "SELECT name, sql FROM sqlite_schema WHERE type = ?"
                let triggers = try Row.fetchAll(database, sql: sql, arguments: [kind])
                for trigger in triggers { try database.execute(sql: "DROP TRIGGER \(trigger["name"] as String)") }
                kept = triggers.map { $0["sql"] as String }
            } else {
                try? database.execute(sql: sql)
                for trigger in kept { try? database.execute(sql: trigger) }
                kept = []
            }
            try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try? queue.close()
    }

    /// Triggers that are put back after the next change.
    private var kept: [String] = []
}
