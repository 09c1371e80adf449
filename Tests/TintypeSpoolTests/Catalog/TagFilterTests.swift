// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct TagFilterTests {
    @Test(
        arguments: [
            ("tag:alarm", [0, 1, 4]), ("tag:al", [2]), ("tag:arm", []), ("tag:alarm-2", [3]), ("tag:night", [1, 4]),
            ("tag:al*", [0, 1, 2, 3, 4]), ("tag:alarm-?", [3]), ("tag:*m", [0, 1, 4]),
        ] as [(String, [Int])]
    )
    func `a tag is asked for as a whole, whatever other tags begin or end with it`(
        _ text: String,
        _ fitting: [Int]
    ) throws {
        let tags: [[String]?] = [["alarm"], ["alarm", "night"], ["al"], ["alarm-2"], ["night", "alarm"], nil, []]
        let rows = tags.enumerated().map { FrameRow($0.offset, tags: $0.element) }
        let file = try CatalogFile(rows)
        let filter = try FrameFilter(parsing: text)
        // Alone it is looked up among the tags; beside others, it is asked of each row.
        let both: [FrameFilter] = [filter, .any([filter, .is(.id(FrameID(at: noon)))]), .not(.not(filter))]
        for filter in both {
            let found = try file.catalog.search(filter, order: .oldest, limit: 10).rows
            #expect(found.map { Int($0.sequence) } == fitting, "\(filter)")
        }
        let rest = try file.catalog.search(.not(filter), order: .oldest, limit: 10).rows
        #expect(rest.map { Int($0.sequence) } == Array(Set(rows.indices).subtracting(fitting)).sorted())
    }
}
