// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct MigrationTests {
    @Test func `what the version before has written can be asked for, and counted`() throws {
        let folder = try SpoolFolder()
        let path = folder.path + ".sqlite"
        let queue = try DatabaseQueue(path: path)
        try CatalogSchema.migrator.migrate(queue, upTo: "v2")
        let rows = (0..<20).map { number in
            FrameRow(
                number,
                camera: number < 5 ? "door" : "yard",
                bytes: number * 50_000,
                verdict: number == 7 ? nil : .intact,
                tags: number == 3 ? ["alarm", "night"] : number == 4 ? [] : nil
            )
        }
        try queue.write { database in
            for row in rows {
                let old = try database.columns(in: "frame").map(\.name)
                let values = try row.databaseDictionary
                let places = old.map { _ in "?" }.joined(separator: ", ")
                try database.execute(
                    sql: "INSERT INTO frame (\(old.joined(separator: ", "))) VALUES (\(places))",
                    arguments: StatementArguments(old.map { values[$0] ?? .null })
                )
            }
        }
        try queue.close()
        let catalog = try Catalog(path: path, logger: quiet)
        #expect(try catalog.rows(matching: .everything, order: .oldest, limit: 99) == rows)
        func list(_ text: String) throws -> [Int] {
            try catalog.rows(matching: FrameFilter(parsing: text), order: .oldest, limit: 99).map { Int($0.sequence) }
        }
        #expect(try list("tag:alarm") == [3])
        #expect(try list("camera:door, bytes>100000") == [3, 4])
        #expect(try list("not verdict:intact") == [7])
        #expect(try list("source:request").count == 20)
        #expect(try list("any(pinned, lost)").isEmpty)
        #expect(try catalog.totals()["yard"]?.frames == 15)
    }
}
