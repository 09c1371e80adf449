// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// The order of storing, independent of the clock.
@Suite struct InsertionOrderTests {
    private static let year = 365 * 86_400

    @Test func `removes pictures in the order of storing despite clock steps`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxFrames: 3))
        var stored: [FrameID] = []
        let year = Self.year
        for seconds in [0, 1, 2, -year, 1 - year, 2 - year, 3 - year, 3, 4, year, year + 1, 5, 6, -year, 7, 8] {
            stored.append(try await spool.store(still(seconds), durability: .none, until: soon).id)
            #expect(try Set(folder.ids()) == Set(stored.suffix(3)), "after \(seconds) s")
        }
        await spool.close(until: soon)
        #expect(try folder.pictures().count == 3)
    }

    @Test func `latest.jpg shows the picture stored last`() async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        let ids = try await spool.fill([0, -Self.year, 1 - Self.year]).map(\.id)
        _ = try await spool.delete(.ids([ids[2]]), until: soon)
        let path = try await spool.frame(ids[1], until: soon).still.path
        let link = "\(folder.path)/door/latest.jpg"
        #expect(path == URL(fileURLWithPath: link).resolvingSymlinksInPath().path)
        await spool.close(until: soon)
        try folder.remove("door/latest.jpg")
        try folder.link("door/latest.jpg", to: "nowhere")
        _ = try await folder.open()
        #expect(path == URL(fileURLWithPath: link).resolvingSymlinksInPath().path)
    }

    @Test func `insertion numbers grow across clock steps and restarts`() throws {
        let file = try CatalogFile()
        let moments = [0, 1, -Self.year, -Self.year, Self.year, 2, 3]
        for (index, seconds) in moments.enumerated() {
            try file.catalog.insert([FrameRow(index)], isDurable: false, at: noon + .seconds(seconds))
        }
        try file.catalog.close()
        let again = try Catalog(path: file.path, clock: .system, logger: .quiet)
        try again.insert([FrameRow(90), FrameRow(91)], isDurable: false, at: noon)
        let rows = try again.inOrder(pinned: true, lost: true, limit: 99)
        #expect(rows.map(\.sequence) == [0, 1, 2, 3, 4, 5, 6, 90, 91])
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.number < $1.number })
        #expect(try again.inOrder(.newest, pinned: true, lost: true, limit: 2).map(\.sequence) == [91, 90])
    }

    @Test(arguments: [1, 7, 100], [Duration.zero, .seconds(3600)])
    func `a list after a number does not end between rows of the same number`(limit: Int, time: Duration) throws {
        let cameras = (0..<250).map { "camera\($0)" }
        let file = try CatalogFile(
            cameras.map { FrameRow(5, camera: $0, source: .reconcile) } + [FrameRow(6, source: .reconcile)]
        )
        var query = FrameQuery(limit: limit, after: 0)
        var seen: [FrameID] = []
        while true {
            let page = try file.catalog.lists.page(query, within: time)
            guard !page.rows.isEmpty else { break }
            seen += page.rows.map(\.id)
            query.after = page.after.map { Int($0) }
        }
        #expect(seen.count == 251 && Set(seen).count == 251)
    }

    @Test(arguments: [1, 7, 100], [Duration.zero, .seconds(3600)])
    func `a list after a number has each frame once, also where the clock goes back`(
        limit: Int,
        time: Duration
    ) throws {
        // All but the first and the last frames are captured an hour earlier.
        let rows = (0..<400).map { number in
            let microseconds: Int64 = (20..<380).contains(number) ? -3_600_000_000 : 0
            return FrameRow(number, camera: number % 40 == 3 ? "yard" : "door", microseconds: microseconds)
        }
        for filter in [FrameFilter.everything, .is(.camera("yard"))] {
            let file = try CatalogFile()
            var query = FrameQuery(filter: filter, limit: limit, after: 0)
            var seen: [UInt32] = []
            for part in [rows[..<30], rows[30..<390], rows[390...]] {
                try file.catalog.insert(Array(part), isDurable: false, at: noon)
                var isEnd = false
                while !isEnd {
                    let page = try file.catalog.lists.page(query, within: time)
                    #expect(page.rows.count <= limit && page.next == nil)
                    seen += page.rows.map(\.sequence)
                    let after = page.after.map { Int($0) }
                    isEnd = after == query.after
                    query.after = after
                }
            }
            #expect(seen == rows.filter(filter.fits).map(\.sequence))
        }
    }

    @Test func `orders a picture found without a row by its time`() throws {
        let file = try CatalogFile()
        try file.catalog.insert([FrameRow(50)], isDurable: false, at: FrameRow(50).capturedAt)
        // Newest first, as a folder scan may find them.
        let found = [60, 40, 30].map { FrameRow($0, source: .reconcile) }
        try file.catalog.insert(found, isDurable: false, at: noon)
        try file.catalog.insert([FrameRow(70)], isDurable: false, at: noon)
        let rows = try file.catalog.inOrder(pinned: false, lost: false, limit: 99)
        #expect(rows.map(\.sequence) == [30, 40, 50, 60, 70])
    }

    @Test func `pages in insertion order filter cameras, pins and lost pictures`() throws {
        let cameras = ["door", "yard", "gate"]
        let rows = (0..<60).map { number in
            FrameRow(number, camera: cameras[number % 3], isPinned: number % 4 == 0, isLost: number % 5 == 0)
        }
        let file = try CatalogFile(rows)
        for (pinned, lost) in [(true, true), (true, false), (false, true), (false, false)] {
            for cameras in [nil, ["door"], ["yard", "gate"]] as [Set<String>?] {
                let wanted = rows.filter { row in
                    (pinned || !row.isPinned) && (lost || !row.isLost) && cameras?.contains(row.camera) ?? true
                }
                var (found, last): ([FrameRow], FrameRow?) = ([], nil)
                repeat {
                    let page = try file.catalog.inOrder(of: cameras, pinned: pinned, lost: lost, after: last, limit: 7)
                    found += page.map(\.unnumbered)
                    last = page.count == 7 ? page.last : nil
                } while last != nil
                #expect(found == wanted)
            }
        }
    }

    @Test func `the latest picture may be pinned but not lost`() throws {
        let file = try CatalogFile([FrameRow(1), FrameRow(2, isPinned: true), FrameRow(3, isLost: true)])
        func latest(_ camera: String) throws -> String? {
            try file.catalog.inOrder(.newest, of: [camera], pinned: true, lost: false, limit: 1).first?.path
        }
        #expect(try latest("door") == FrameRow(2).path)
        #expect(try latest("yard") == nil)
    }

    @Test func `pages through pictures of the same moment`() throws {
        let cameras = ["door", "yard", "gate"]
        let file = try CatalogFile(cameras.map { FrameRow(5, camera: $0, source: .reconcile) })
        for order in FrameOrder.allCases {
            var (found, last): ([String], FrameRow?) = ([], nil)
            for _ in cameras {
                let page = try file.catalog.inOrder(order, pinned: false, lost: false, after: last, limit: 1)
                last = page.first
                found += page.map(\.camera)
            }
            #expect(found.sorted() == cameras.sorted(), "\(order)")
        }
    }
}
