// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The program that made the tables of a catalog, by their SQL and that of their indexes, triggers and views.
enum SchemaOrigin: Hashable {
    /// There are no tables.
    case new
    /// They are ours.
    case ours
    /// A version of tintyped that is newer than this one.
    case newer
    /// Another program, or a version before the fifth, made or changed them: the first that differs.
    case foreign(String)

    /// The most versions that are looked at.
    private static let mostVersions = 1000

    /// Whether a schema is exactly what this version makes; takes some milliseconds.
    ///
    /// Nothing of a foreign one is run: a view in place of a table could go on without end.
    init(of database: Database) throws {
        let present = try Self.objects(database)
        guard !present.isEmpty else {
            self = .new
            return
        }
        let model = try DatabaseQueue()
        try CatalogSchema.migrator.migrate(model)
        let known = try model.read { try Self.objects($0) }
        let name = "table grdb_migrations"
        guard present[name] == known[name] else {
            self = .foreign(name)
            return
        }
        let versions = try Self.versions(database)
        if present == known {
            self = Self.areVersions(versions, upTo: 5) ? .ours : .foreign("grdb_migrations: \(versions)")
        } else if let last = versions.last.flatMap({ Int($0.dropFirst()) }), last > 5, last <= Self.mostVersions,
            Self.areVersions(versions, upTo: last)
        {
            self = .newer
        } else {
            let names = Set(present.keys).union(known.keys).sorted()
            self = .foreign(names.first { present[$0] != known[$0] } ?? "another version")
        }
    }

    /// Whether these are all versions up to one, from the first or from the one that a new catalog begins with.
    private static func areVersions(_ names: [String], upTo last: Int) -> Bool {
        [1, 5].contains { first in first <= last && names == (first...last).map { "v\($0)" } }
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
        try Row.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations LIMIT \(mostVersions)")
            .map { text($0[0]) }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }

    private static func text(_ value: DatabaseValue) -> String {
        if case .string(let text) = value.storage { text } else { "\(value)" }
    }
}
