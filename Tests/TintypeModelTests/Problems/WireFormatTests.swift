// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct WireFormatTests {
    private struct Inner: Codable { var count: Int }
    private struct Outer: Codable { var inner: Inner }

    @Test func `JSON has sorted keys and unescaped slashes`() throws {
        let json = try WireFormat.encode(["b": "x/y", "a": "1"])
        #expect(String(decoding: json, as: UTF8.self) == #"{"a":"1","b":"x/y"}"#)
    }

    @Test func `pretty JSON has line breaks`() throws {
        #expect(try WireFormat.encode(["a": 1], pretty: true).contains(10))
    }

    @Test(arguments: ["", "{", "{]", "nonsense", #"{"a":1}x"#])
    func `malformed JSON is an invalid request`(_ text: String) {
        let problem = expectInvalid(nil) { try WireFormat.decode(Outer.self, from: text.utf8) }
        #expect(problem?.detail.contains("JSON") == true)
    }

    @Test(arguments: [
        (#"{}"#, "inner"), (#"{"inner":1}"#, "inner"), (#"{"inner":{}}"#, "inner.count"),
        (#"{"inner":{"count":"1"}}"#, "inner.count"), (#"{"inner":{"count":null}}"#, "inner.count"),
    ])
    func `a decoding error names the field`(_ text: String, _ field: String) {
        let problem = expectInvalid(field) { try WireFormat.decode(Outer.self, from: text.utf8) }
        #expect(problem?.detail.contains(field) == true)
    }

    @Test(arguments: ["[]", "[1]", "1", "null"])
    func `a body that is not an object is refused as such`(_ text: String) {
        let problem = expectInvalid(nil) { try WireFormat.decode(Outer.self, from: text.utf8) }
        #expect(problem?.detail == "The body is not a JSON object.")
    }

    @Test(arguments: ["1", "true", "{}", "[]", "null", #"{"a":1}"#], [0, 70, 275])
    func `a wrong field of a body of maximum size is named`(_ item: String, _ depth: Int) {
        let body = Self.largest(of: item, depth)
        expectInvalid("tags") { try WireFormat.decode(StillRequest.self, from: body) }
    }

    /// Without the budget, the slowest of these takes 20 s of CPU time.
    @Test(arguments: [0, 70, 275])
    func `decoding stops at the budget of values and depth`(_ depth: Int) throws {
        var value = try WireFormat.decode(FieldValue.self, from: Self.largest(of: "1", depth))
        if case .object(let fields) = value { value = try #require(fields["tags"]) }
        var items: [FieldValue] = []
        while case .list(let next) = value { (items, value) = (next, try #require(next.first)) }
        let read = items.prefix { $0 == .number(1) }.count
        // Each item is nested in `depth + 1` lists and a field.
        #expect(read > 0 && read <= 80_000 / (depth + 3))
        #expect(items.count > read && items.dropFirst(read).allSatisfy { $0 == .unusable })
    }

    /// Body of maximum size, filled with items nested `depth` lists deep.
    private static func largest(of item: String, _ depth: Int) -> [UInt8] {
        let items = Array(repeating: item, count: 64_000 / (item.utf8.count + 1)).joined(separator: ",")
        let list = String(repeating: "[", count: depth + 1) + items + String(repeating: "]", count: depth + 1)
        return Array(#"{"tags":\#(list)}"#.utf8)
    }
}
