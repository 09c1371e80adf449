// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct FormerIndexTests {
    private static let former = [
        "CREATE INDEX frame_verdict ON frame (verdict, id)",
        "CREATE INDEX frame_faulty ON frame (camera, verdict, id) WHERE verdict <> 'intact'",
        "CREATE INDEX frameTag_camera ON frameTag (tag, camera, id, verdict)",
        "CREATE INDEX frameTag_verdict ON frameTag (tag, verdict, id, camera) WHERE verdict <> 'intact'",
    ]

    @Test func `a catalog with indexes of the version before is opened with its rows, and without these`() throws {
        let file = try CatalogFile([FrameRow(0), FrameRow(1, verdict: .damaged, tags: ["alarm"])])
        let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name"
        let ours = try file.catalog.read { try String.fetchAll($0, sql: indexes) }
        try file.catalog.close()
        try catalogOutput(file.path, Self.former.joined(separator: ";"))
        let catalog = try Catalog(path: file.path, logger: quiet)
        let left = try catalog.read { try String.fetchAll($0, sql: indexes) }
        #expect(left == ours)
        #expect(try catalog.page(FrameQuery(filter: .is(.tag("alarm")))).rows.map(\.sequence) == [1])
        try catalog.insert([FrameRow(2, tags: ["alarm"])], isDurable: false)
        #expect(try catalog.page(FrameQuery(filter: .is(.tag("alarm")))).rows.map(\.sequence) == [2, 1])
        try catalog.close()
        withExtendedLifetime(file) {}
    }
}
