// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct StillQueryTests {
    private let full = StillRequest(
        fresh: .at(.milliseconds(-1500)),
        deadline: .microseconds(2_500_500),
        settle: .never,
        integrity: .tolerant,
        rendering: ImageOptions(
            quality: 80,
            width: 640,
            height: 480,
            crop: CropRectangle("320x240+10+20"),
            turn: .quarter,
            flip: .vertical,
            isLossless: false,
            overlay: "a&b=%H:%M, 100%"
        ),
        keep: true,
        durability: .data,
        tags: ["door", "7"]
    )

    @Test func `a default request has an empty query`() throws {
        #expect(try StillRequest(keep: false).query.isEmpty)
        #expect(try StillRequest(query: []) == StillRequest(keep: false))
    }

    @Test func `a query round-trips in any order`() throws {
        let query = try full.query
        #expect(
            query.map { "\($0.name)=\($0.value)" } == [
                "atMs=-1500", "deadlineMs=2500.5", "settle=never", "integrity=tolerant", "width=640", "height=480",
                "crop=320x240+10+20", "rotate=90", "flip=vertical", "lossless=false", "quality=80",
                "overlay=a&b=%H:%M, 100%", "keep=true", "durability=data", "tags=door,7",
            ]
        )
        #expect(try StillRequest(query: query) == full)
        #expect(try StillRequest(query: query.reversed()) == full)
    }

    @Test func `reject is a comma-separated list in a query`() throws {
        let request = StillRequest(reject: [.uniform, .black], keep: false)
        #expect(try request.query.map { "\($0.name)=\($0.value)" } == ["reject=black,uniform"])
        #expect(try StillRequest(query: [("reject", "uniform,black")]) == request)
    }

    @Test func `every field but those of a burst is a query parameter`() throws {
        let burst: Set = ["count", "everyMs", "fromMs", "toMs", "nth"]
        let told = #expect(throws: Problem.self) { try StillRequest(query: [("none", "1")]) }
        let names = try #require(told?.remedy.split(separator: ": ").last).dropLast().split(separator: ", ")
        let fields = Set(StillRequest.fields.map(\.name)).subtracting(burst)
        #expect(Set(names.map(String.init)) == fields.union(["maxAgeMs", "atMs"]))
        for name in burst { expectInvalid(name) { try StillRequest(query: [(name, "1")]) } }
    }

    // Explicit type: type inference takes too long here.
    private static let refused: [([(String, String)], String, String)] = [
        ([("quality", "80"), ("quality", "80")], "quality", "more than once"),
        ([("fresh", "next"), ("maxAgeMs", "1")], "maxAgeMs", "combined with fresh"),
        ([("maxAgeMs", "1"), ("fresh", "next")], "maxAgeMs", "combined with fresh"),
        ([("maxAgeMs", "1"), ("atMs", "-1")], "atMs", "combined with maxAgeMs"),
        ([("Fresh", "next")], "Fresh", "not known"), ([("", "")], "", "not known"),
        ([("reject", "black"), ("average", "2")], "reject", "combined with average"),
        ([("reject", "black"), ("integrity", "raw")], "reject", "combined with integrity"),
        ([("reject", "black"), ("atMs", "-1")], "atMs", "combined with reject"),
        ([("lossless", "true"), ("quality", "80")], "lossless", "combined with quality"),
        ([("lossless", "true"), ("width", "80")], "lossless", "combined with width"),
        ([("lossless", "true"), ("overlay", "x")], "lossless", "combined with overlay"),
        ([("lossless", "true"), ("average", "2")], "lossless", "combined with average"),
    ]

    @Test(arguments: refused)
    func `repeated, unknown and conflicting parameters are refused by name`(
        _ query: [(String, String)],
        _ field: String,
        _ text: String
    ) {
        let problem = expectInvalid(field) { try StillRequest(query: query.map { (name: $0.0, value: $0.1) }) }
        #expect(problem?.detail.contains(text) == true, "\(problem?.detail ?? "")")
    }

    @Test func `a flag is true, false, 1 or 0`() throws {
        for (text, flag) in [("true", true), ("1", true), ("false", false), ("0", false)] {
            #expect(try StillRequest(query: [("keep", text)]).keep == flag)
        }
    }
}
