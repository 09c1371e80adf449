// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct FrameFilterJSONTests {
    private func read(_ json: String) throws(Problem) -> FrameFilter {
        try WireFormat.decode(FrameFilter.self, from: Array(json.utf8))
    }

    @Test func `every condition has a key`() throws {
        let text = """
            {"all": [{"camera": "front*"}, {"any": [{"tag": "alarm"}, {"not": {"verdict": "damaged"}}]},
             {"settled": true}, {"pinned": false}, {"lost": false}, {"source": "publish"}, {"from": "2026-11-20"},
             {"to": "2026-11-21T12:00Z"}, {"on": "2026-11-20"}, {"sinceMs": 604800000}, {"bytes": {"min": 1, "max": 2}},
             {"width": {"min": 1280}}, {"height": {"max": 720}}, "tag:x"]}
            """
        let written = """
            camera:front*, any(tag:alarm, not verdict:damaged), settled:yes, pinned:no, lost:no, source:publish,
            from:2026-11-20, to:2026-11-21T12:00Z, on:2026-11-20, since:7d, bytes:1..2, width>=1280, height<=720, tag:x
            """
        #expect(try read(text) == FrameFilter(parsing: written))
    }

    @Test func `several keys of an object must all fit`() throws {
        #expect(try read(#"{"pinned": true, "camera": "yard"}"#) == FrameFilter(parsing: "camera:yard, pinned"))
        #expect(try read("{}") == .everything)
    }

    @Test func `a range without a bound at one end comes back`() throws {
        for range in [0...Int.max, 0...5, 5...5, 5...Int.max] {
            let filter = FrameFilter.is(.measure(.bytes, range))
            #expect(try WireFormat.decode(FrameFilter.self, from: WireFormat.encode(filter)) == filter)
        }
    }

    @Test(arguments: [
        (#"{"colour": "red"}"#, "colour"), (#"{"camera": "Yard"}"#, "camera"), (#"{"camera": null}"#, "camera"),
        (#"{"tag": ["a"]}"#, "tag"), (#"{"verdict": "good"}"#, "verdict"), (#"{"settled": "yes"}"#, "settled"),
        (#"{"pinned": 1}"#, "pinned"), (#"{"id": "7"}"#, "id"), (#"{"from": "now"}"#, "from"),
        (#"{"sinceMs": 0}"#, "sinceMs"), (#"{"sinceMs": "7d"}"#, "sinceMs"), (#"{"bytes": 5}"#, "bytes"),
        (#"{"bytes": {}}"#, "bytes"), (#"{"bytes": {"min": 2, "max": 1}}"#, "bytes"),
        (#"{"bytes": {"min": -1}}"#, "bytes.min"), (#"{"width": {"least": 1}}"#, "width.least"),
        (#"{"all": {"tag": "a"}}"#, "all"), (#"{"any": [{"tag": "a"}, {"colour": 1}]}"#, "any.1.colour"),
        (#"{"not": {"all": [{"bytes": {"max": "1"}}]}}"#, "not.all.0.bytes.max"), (#"{"not": []}"#, "not"),
        (#"{"any": ["tag:a", "tag:?+"]}"#, "any.1"), (#"{"all": [null]}"#, "all"),
    ])
    func `a wrong field is named by its path`(_ json: String, _ field: String) throws {
        let problem = #expect(throws: Problem.self) { try read(json) }
        #expect(problem?.code == .invalidRequest)
        #expect(problem?.field == field, "\(String(describing: problem))")
        #expect(problem?.remedy.isEmpty == false)
    }

    @Test func `a text inside tells its character too`() {
        let problem = #expect(throws: Problem.self) { try read(#"{"any": ["tag:a", "tag:?+"]}"#) }
        #expect(problem?.detail == "The field any.1 is wrong at character 5: “?+” is no tag.")
    }

    @Test func `an object is bounded in depth and conditions`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"all":["#, count: levels) + #"{"lost":true}"# + String(repeating: "]}", count: levels)
        }
        _ = try read(nested(FrameFilter.mostLevels))
        #expect(throws: Problem.self) { try read(nested(FrameFilter.mostLevels + 1)) }
        func many(_ count: Int) -> String {
            #"{"any":["# + Array(repeating: #"{"lost":true}"#, count: count).joined(separator: ",") + "]}"
        }
        _ = try read(many(FrameFilter.mostConditions))
        #expect(throws: Problem.self) { try read(many(FrameFilter.mostConditions + 1)) }
    }

    @Test(arguments: ["{}", #"{"all":[]}"#, #"{"any":[]}"#, #"{"not":{}}"#, #"{"not":{"any":[{}]}}"#, #""all()""#])
    func `what has no condition in it counts as one`(_ empty: String) throws {
        func many(_ count: Int, _ rest: String) -> String {
            #"{"all":["# + Array(repeating: empty, count: count).joined(separator: ",") + rest + "]}"
        }
        _ = try read(many(FrameFilter.mostConditions - 1, #",{"lost":true}"#))
        #expect(throws: Problem.self) { try read(many(FrameFilter.mostConditions, #",{"lost":true}"#)) }
        // It is read no further: what is wrong behind it is not seen.
        let problem = #expect(throws: Problem.self) {
            try read(many(FrameFilter.mostConditions + 1, #",{"colour":"red"}"#))
        }
        #expect(problem?.code == .invalidRequest && problem?.field == "all")
        #expect(problem?.detail.contains("more than \(FrameFilter.mostConditions) conditions") == true)
    }

    @Test(arguments: ["all()", "any()"])
    func `what has no condition in it counts as one in a text, too`(_ empty: String) throws {
        let lists = Array(repeating: empty, count: FrameFilter.mostConditions)
        _ = try FrameFilter(parsing: lists.joined(separator: ","))
        #expect(throws: Problem.self) { try FrameFilter(parsing: (lists + ["lost"]).joined(separator: ",")) }
    }
}
