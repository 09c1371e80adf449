// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct TotalsTests {
    /// Expects the totals and tags kept by triggers to equal those computed from the rows.
    private func expectStep(_ catalog: Catalog, _ comment: Comment) throws {
        func texts(_ sql: String) throws -> [String] {
            try catalog.connection.read { try String.fetchAll($0, sql: sql) }
        }
        #expect(try texts(Self.text("cameraTotal")) == texts(Self.text(Self.counted)), comment)
        let rest = "hex(id) || camera || ifnull(verdict, '')"
        let tagged = try texts("SELECT tags || ' ' || \(rest) FROM frame WHERE tags IS NOT NULL").flatMap { text in
            let parts = text.split(separator: " ", omittingEmptySubsequences: false)
            return Set(parts[0].split(separator: ",")).map { "\($0)\(parts[1])" }
        }
        #expect(try texts("SELECT tag || \(rest) FROM frameTag ORDER BY 1") == tagged.sorted(), comment)
    }

    private static let counted =
        "(SELECT camera, sum(kind IS NULL) AS frames, sum(iif(isLost, 0, bytes)) AS bytes, "
        + "sum(pinned AND kind IS NULL) AS pinned, sum(isLost AND kind IS NULL) AS lost, "
        + "count(kind) AS films FROM frame GROUP BY camera)"

    private static func text(_ table: String) -> String {
        let columns = ["camera", "frames", "bytes", "pinned", "lost", "films"].joined(separator: " || ' ' || ")
        return "SELECT \(columns) FROM \(table) ORDER BY 1"
    }

    @Test func `triggers keep totals and tags equal to the rows`() throws {
        let file = try CatalogFile()
        var random = SeededGenerator(seed: 3)
        for step in 0..<400 {
            let row = FrameRow(
                step,
                camera: random.pick(["door", "yard"]),
                bytes: random.pick([10, 5000, 100_000, 100_000_000]),
                verdict: random.pick([nil, .intact]),
                tags: random.pick([nil, [], ["a"], ["a", "b"]]),
                kind: random.pick([nil, nil, nil, .film, .clip])
            )
            try file.catalog.insert([row], isDurable: false, at: noon)
            let change = random.pick([
                "UPDATE frame SET pinned = 1 - pinned WHERE abs(random()) % 3 = 0",
                "UPDATE frame SET tags = 'b,c,b' WHERE abs(random()) % 5 = 0",
                "UPDATE frame SET tags = NULL WHERE tags = 'a'",
                "UPDATE frame SET bytes = bytes * 3, width = 300, verdict = 'sound' WHERE abs(random()) % 7 = 0",
                "UPDATE frame SET camera = 'roof', isLost = 1 WHERE abs(random()) % 9 = 0",
                "DELETE FROM frame WHERE abs(random()) % 8 = 0", "DELETE FROM frame WHERE abs(random()) % 100 = 0",
            ])
            try file.catalog.connection.write(isDurable: false) { try $0.execute(sql: change) }
            if step % 20 == 0 { try expectStep(file.catalog, "step \(step)") }
        }
        try expectStep(file.catalog, "at the end")
        try file.catalog.connection.write(isDurable: false) { try $0.execute(sql: "DELETE FROM frame") }
        try expectStep(file.catalog, "empty")
        #expect(try file.catalog.totals().isEmpty)
    }

    @Test func `a rollback leaves the totals unchanged`() throws {
        let file = try CatalogFile([FrameRow(0)])
        // The second row violates the uniqueness of paths.
        let rows = [FrameRow(1, tags: ["x"]), FrameRow(1)]
        let problem = #expect(throws: Problem.self) { try file.catalog.insert(rows, isDurable: false, at: noon) }
        #expect(problem?.code == .spoolUnavailable)
        #expect(try file.catalog.totals()["door"]?.frames == 1)
        try expectStep(file.catalog, "rolled back")
    }

    @Test func `statistics count frames, bytes, free space and quarantined files`() async throws {
        let folder = SpoolFolder()
        try folder.write([1, 2, 3], to: "yard/2025/01/02/030406.000006Z-000000008.jpg")
        let spool = try await folder.open()
        let first = try await spool.fill(0..<3)[0].id
        try await spool.fill(3..<5, camera: "yard")
        _ = try await spool.change(FrameChange(.ids([first]), FrameEdit(pinned: true)), until: soon)
        let statistics = try await spool.statistics(until: soon)
        func time(_ number: Int64) -> Timestamp { Timestamp(microseconds: noon.microseconds + number * 1_000_000) }
        let size = picture.count
        let door = FrameTotals(frames: 3, bytes: 3 * size, pinned: 1, oldest: time(0), newest: time(2))
        let yard = FrameTotals(frames: 2, bytes: 2 * size, oldest: time(3), newest: time(4))
        #expect(statistics.cameras == ["door": door, "yard": yard])
        let total = FrameTotals(frames: 5, bytes: 5 * size, pinned: 1, oldest: time(0), newest: time(4))
        #expect(statistics.total == total)
        #expect(statistics.quarantined == 1)
        #expect(statistics.folder == folder.path && statistics.spool == spool.name)
        let told = try shellOutput("df", "--output=avail", "-B1", folder.path).split(separator: "\n")[1]
        let free = try #require(Int(told.filter(\.isNumber)))
        #expect(abs(statistics.freeBytes - free) < 1 << 30)
    }
}
