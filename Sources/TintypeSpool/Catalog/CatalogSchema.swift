// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The tables of the catalog, version by version; a version that was released is never changed.
enum CatalogSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { database in
            try database.create(table: "frame", options: [.strict, .withoutRowID]) { table in
                table.primaryKey("id", .text).notNull()
                table.column("camera", .text).notNull()
                table.column("path", .text).notNull().unique()
                table.column("bytes", .integer).notNull()
                table.column("width", .integer).notNull()
                table.column("height", .integer).notNull()
                table.column("sequence", .integer).notNull()
                // Microseconds since 1970.
                table.column("capturedAt", .integer).notNull()
                table.column("timestampSource", .text).notNull()
                table.column("uncertaintyNs", .integer)
                table.column("storedAt", .integer).notNull()
                table.column("stored", .text).notNull()
                table.column("sha256", .text).notNull()
                table.column("bootID", .text).notNull()
                table.column("storedMonotonicNs", .integer).notNull()
                table.column("isClockSynchronized", .integer).notNull()
            }
            try database.create(index: "frame_camera_capturedAt", on: "frame", columns: ["camera", "capturedAt"])
        }
        migrator.registerMigration("v2") { database in
            try database.alter(table: "frame") { table in
                table.add(column: "settled", .integer)
                table.add(column: "verdict", .text)
                // Words with a comma between two, as are appearance and tags.
                table.add(column: "faults", .text)
                table.add(column: "appearance", .text)
                table.add(column: "tags", .text)
                table.add(column: "average", .integer)
                table.add(column: "gapNs", .integer)
            }
        }
        migrator.registerMigration("v3") { try $0.execute(sql: version3) }
        migrator.registerMigration("v4") { try $0.execute(sql: version4) }
        migrator.registerMigration("v5") { database in
            // SQLite has such a function (unhex) since 3.41 only.
            let bytes = DatabaseFunction("bytesOf", argumentCount: 1, pure: true) { values in
                String.fromDatabaseValue(values[0]).map(DatabaseValue.init(hexadecimal:))
            }
            database.add(function: bytes)
            try database.execute(sql: version5)
            database.remove(function: bytes)
        }
        return migrator
    }
}
