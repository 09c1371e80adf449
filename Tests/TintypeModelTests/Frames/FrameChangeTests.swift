// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct FrameChangeTests {
    private static let ids = (0..<3).map { FrameID(at: Timestamp(microseconds: 1_795_271_412_000_000 + $0 * 1000)) }
    private static let list = "[\(ids.map { "\"\($0)\"" }.joined(separator: ","))]"

    private func read<Value: Decodable>(_ type: Value.Type, _ json: String) throws(Problem) -> Value {
        try WireFormat.decode(type, from: Array(json.utf8))
    }

    @Test func `a selection round-trips alone and in a change`() throws {
        let edit = FrameEdit(pinned: false, addTags: ["a", "b"], removeTags: ["c"])
        for (json, selection) in [
            (#"{"ids": \#(Self.list)}"#, FrameSelection.ids(Self.ids)), (#"{"where": "all()"}"#, .filter(.everything)),
            (#"{"where": "camera:yard, lost"}"#, .filter(.all([.is(.camera("yard")), .is(.lost(true))]))),
        ] {
            #expect(try read(FrameSelection.self, json) == selection)
            #expect(try WireFormat.decode(FrameSelection.self, from: WireFormat.encode(selection)) == selection)
            let change = FrameChange(selection, edit)
            #expect(try WireFormat.decode(FrameChange.self, from: WireFormat.encode(change)) == change)
        }
    }

    @Test(arguments: [
        ("{}", "ids"), (#"{"ids": []}"#, "ids"), (#"{"ids": "x"}"#, "ids"), (#"{"ids": ["x"]}"#, "ids"),
        (#"{"ids": [], "where": "lost"}"#, "ids"), (#"{"where": ""}"#, "where"), (#"{"where": " "}"#, "where"),
        (#"{"where": {}}"#, "where"), (#"{"where": "colour:red"}"#, "where"), (#"{"where": 5}"#, "where"),
        (#"{"where": null}"#, "where"), (#"{"where": {"camera": "yard"}}"#, "where"), (#"{"all": true}"#, "all"),
    ])
    func `a selection that might select everything by mistake is refused`(_ json: String, _ field: String) {
        expectInvalid(field) { try read(FrameSelection.self, json) }
        // The same selection within a change.
        let change = String(json.dropLast()) + (json == "{}" ? "" : ",") + #""pinned": true}"#
        expectInvalid(field) { try read(FrameChange.self, change) }
    }

    @Test func `a selection has at most 10000 ids`() throws {
        let most = FrameSelection.ids(Array(repeating: Self.ids[0], count: 10_000))
        #expect(try WireFormat.decode(FrameSelection.self, from: WireFormat.encode(most)) == most)
        let more = try WireFormat.encode(FrameSelection.ids(Array(repeating: Self.ids[0], count: 10_001)))
        let problem = expectInvalid("ids") { try WireFormat.decode(FrameSelection.self, from: more) }
        #expect(problem?.detail.contains("10001") == true)
    }

    @Test(arguments: [
        ("{}", "pinned"), (#"{"addTags": []}"#, "pinned"), (#"{"pinned": "yes"}"#, "pinned"),
        (#"{"addTags": ["a,b"]}"#, "addTags"), (#"{"addTags": ["a", "a"]}"#, "addTags"),
        (#"{"addTags": "a"}"#, "addTags"), (#"{"removeTags": [""]}"#, "removeTags"), (#"{"tags": ["a"]}"#, "tags"),
    ])
    func `an empty or invalid edit is refused`(_ json: String, _ field: String) {
        expectInvalid(field) { try read(FrameEdit.self, json) }
    }

    @Test func `an edit keeps tags in order and at most sixteen`() {
        let edit = FrameEdit(addTags: ["b", "c"], removeTags: ["a", "c"])
        #expect(edit.applied(to: ["a", "b", "d"]) == ["b", "d", "c"])
        #expect(FrameEdit(removeTags: ["x"]).applied(to: []) == [])
        let most = (0..<StillRequest.mostTags).map { "t\($0)" }
        #expect(FrameEdit(addTags: ["t0"]).applied(to: most) == most)
        #expect(FrameEdit(addTags: ["x"]).applied(to: most) == nil)
        #expect(FrameEdit(addTags: ["x"], removeTags: ["t0"]).applied(to: most)?.count == most.count)
    }

    @Test func `an outcome round-trips without its empty lists`() throws {
        #expect(try WireFormat.encode(FrameOutcome(changed: 3)) == Array(#"{"changed":3}"#.utf8))
        let problem = Problem(.spoolUnavailable, "It is gone.", remedy: "Plug it in.")
        for outcome in [
            FrameOutcome(changed: 3), FrameOutcome(changed: 0, missing: Self.ids, refused: [Self.ids[0]]),
            FrameOutcome(changed: 1, failed: Self.ids, problem: problem),
        ] {
            #expect(try WireFormat.decode(FrameOutcome.self, from: WireFormat.encode(outcome)) == outcome)
        }
    }
}
