// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The program that made the tables of a catalog, by their SQL and that of their indexes, triggers and views.
enum SchemaOrigin: Hashable {
    /// There are no tables.
    case new
    /// A version of ours, which may be an older one.
    case ours
    /// A version of tintyped that is newer than this one.
    case newer
    /// Another program made or changed them: the first that differs.
    case foreign(String)

    /// Whether a schema is exactly what one of our versions makes; takes some milliseconds.
    ///
    /// Nothing of a foreign one is run: a view in place of a table could go on without end.
    init(of database: Database) throws {
        let present = try Self.objects(database)
        guard !present.isEmpty else {
            self = .new
            return
        }
        let migrator = CatalogSchema.migrator
        let model = try DatabaseQueue()
        var known: [String: String] = [:]
        for (index, version) in migrator.migrations.enumerated() {
            try migrator.migrate(model, upTo: version)
            known = try model.read { try Self.objects($0) }
            guard present == known else { continue }
            let versions = try Self.versions(database)
            self = versions == Array(migrator.migrations[...index]) ? .ours : .foreign("grdb_migrations: \(versions)")
            return
        }
        let name = "table grdb_migrations"
        if present[name] == known[name] {
            let versions = try Self.versions(database)
            let count = migrator.migrations.count
            if versions.count > count, versions == (1...versions.count).map({ "v\($0)" }) {
                self = .newer
                return
            }
        }
        let names = Set(present.keys).union(known.keys).sorted()
        self = .foreign(names.first { present[$0] != known[$0] } ?? "an older version")
    }

    /// The text of each thing in the schema by its kind and name; SQLite's own have none.
    private static func objects(_ database: Database) throws -> [String: String] {
        let sql =
            "SELECT type || ' ' || name, tbl_name || ': ' || sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'"
        var objects: [String: String] = [:]
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() {
            objects[text(row[0])] = text(row[1]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return objects
    }

    /// The versions whose changes were made, in the order of their names.
    private static func versions(_ database: Database) throws -> [String] {
        try Row.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations LIMIT 1000")
            .map { text($0[0]) }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }

    private static func text(_ value: DatabaseValue) -> String {
        if case .string(let text) = value.storage { text } else { "\(value)" }
    }
}
