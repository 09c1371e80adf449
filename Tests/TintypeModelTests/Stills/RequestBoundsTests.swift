// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

/// Bounds of every field of a still request, in the JSON body and in the query.
struct RequestBoundsTests {
    /// Field with JSON values that it accepts and others that it refuses.
    struct Field: Sendable, CustomTestStringConvertible {
        var name: String
        /// Other fields that it requires in the request.
        var with = ""
        var taken: [String]
        var refused: [String]
        /// True if it is also a parameter of `GET …/still.jpg`.
        var isInQuery = true
        var testDescription: String { name }
    }

    private static func integer(
        _ name: String,
        _ range: ClosedRange<Int>,
        with: String = "",
        isInQuery: Bool = true
    ) -> Field {
        let taken = ["\(range.lowerBound)", "\(range.upperBound)"]
        let beyond = ["\(range.lowerBound - 1)", "\(range.upperBound + 1)"]
        let refused = beyond + ["1.5", #""x""#, #""""#, "true", "null", "[]"]
        return Field(name: name, with: with, taken: taken, refused: refused, isInQuery: isInQuery)
    }

    private static func milliseconds(
        _ name: String,
        _ range: ClosedRange<Double>,
        taken: ClosedRange<Double>? = nil,
        with: String = "",
        isInQuery: Bool = true
    ) -> Field {
        let taken = [taken ?? range].flatMap { ["\($0.lowerBound)", "\($0.upperBound)"] }
        let beyond = ["\(range.lowerBound - 0.5)", "\(range.upperBound + 0.5)"]
        let refused = beyond + ["1e300", #""soon""#, #""nan""#, #""0x10""#, "true", "null"]
        return Field(name: name, with: with, taken: taken, refused: refused, isInQuery: isInQuery)
    }

    private static func word(_ name: String, _ words: [String], more: [String] = []) -> Field {
        Field(
            name: name,
            taken: words.map { "\"\($0)\"" },
            refused: [#""""#, "\"\(words[0].uppercased())\"", "\"\(words[0]) \"", #""none of them""#, "17", "true"]
                + more
        )
    }

    private static let span = -3_600_000.0...3_600_000
    private static let longText = String(repeating: "x", count: 200)
    private static let manyTags = (1...16).map { "\"tag-\($0)\"" }.joined(separator: ",")

    static let fields = [
        word("fresh", ["request", "next", "latest"], more: [#""now""#, #""Next""#, "1", "[]"]),
        milliseconds("deadlineMs", 1...600_000),
        integer("count", 1...1000, isInQuery: false),
        milliseconds("everyMs", 0...3_600_000, with: #""count":2,"#, isInQuery: false),
        milliseconds("fromMs", span, taken: -3_600_000...3_599_999, with: #""toMs":3600000,"#, isInQuery: false),
        milliseconds("toMs", span, taken: -3_599_999...3_600_000, with: #""fromMs":-3600000,"#, isInQuery: false),
        integer("nth", 1...1000, with: #""toMs":1,"#, isInQuery: false),
        word("settle", ["auto", "always", "never"]), word("integrity", ["strict", "tolerant", "raw"]),
        integer("width", 1...65_500), integer("height", 1...65_500),
        Field(
            name: "crop",
            taken: [#""1x1+0+0""#, #""640x480+65535+65535""#, #""65535x65535+0+0""#],
            refused: [
                #""640x480""#, #""0x1+0+0""#, #""1x0+0+0""#, #""65536x1+0+0""#, #""1x65536+0+0""#, #""-1x1+0+0""#,
                #""640x480+-1+0""#, #""640x480+0+-1""#, #""640x480+65536+0""#, #""640x480+0+65536""#, #""""#, "7",
                "true",
            ]
        ),
        Field(
            name: "rotate",
            taken: ["0", "90", "180", "270"],
            refused: ["45", "-90", "360", "90.5", #""90""#, #""left""#, #""""#, "true", "null"]
        ),
        word("flip", ["horizontal", "vertical"]),
        Field(name: "lossless", taken: ["true", "false"], refused: ["2", #""yes""#, #""""#]),
        integer("quality", 1...100),
        Field(
            name: "overlay",
            taken: [#""x""#, "\"\(longText)\"", #""%H:%M""#],
            refused: [#""""#, "\"\(longText)x\"", #""a\nb""#, "true"]
        ),
        Field(
            name: "reject",
            taken: [#"["black"]"#, #"["frozen","uniform","black"]"#],
            refused: [#"["Black"]"#, #"["black","black"]"#, #"[""]"#, "true", "[1]"]
        ),
        integer("average", 1...64), word("size", ["max"]),
        Field(name: "open", taken: ["true", "false"], refused: ["2", #""no""#, #""""#]),
        Field(name: "keep", taken: ["true", "false"], refused: ["2", #""perhaps""#, #""""#]),
        word("durability", ["none", "data", "full"]),
        Field(
            name: "tags",
            taken: [#"["a"]"#, "[\(manyTags)]", "[\"\(String(repeating: "t", count: 64))\"]", #"["A.b_c-9"]"#],
            refused: [
                "[\(manyTags),\"more\"]", #"["a","a"]"#, #"[""]"#, "[\"\(String(repeating: "t", count: 65))\"]",
                #"["ä"]"#, #"["a b"]"#, "true", "[1]",
            ]
        ),
    ]

    private func read(_ text: String) throws -> StillRequest {
        try WireFormat.decode(StillRequest.self, from: Array(text.utf8))
    }

    @Test func `the table lists every field of a request`() {
        #expect(Self.fields.map(\.name).sorted() == StillRequest.fields.map(\.name).sorted())
    }

    @Test(arguments: fields)
    func `a body field accepts the values at its bounds`(_ field: Field) throws {
        for value in field.taken {
            let request = try read("{\(field.with)\"\(field.name)\":\(value)}")
            // The decoded request encodes and decodes to itself.
            #expect(try WireFormat.decode(StillRequest.self, from: WireFormat.encode(request)) == request, "\(value)")
        }
    }

    @Test(arguments: fields)
    func `a wrong body field is named`(_ field: Field) {
        for value in field.refused {
            expectProblem(of: field.name, value) { try read("{\(field.with)\"\(field.name)\":\(value)}") }
        }
    }

    /// Converts a JSON value to a query parameter; nil if it has no such form.
    private func parameter(_ value: String) throws -> String? {
        if value == "null" { return nil }
        if value.hasPrefix("[") {
            guard let items = try? WireFormat.decode([String].self, from: Array(value.utf8)) else { return nil }
            return items.joined(separator: ",")
        }
        guard value.hasPrefix("\"") else { return value }
        return try WireFormat.decode([String].self, from: Array("[\(value)]".utf8)).first
    }

    @Test(arguments: fields.filter(\.isInQuery))
    func `a query parameter accepts the values at its bounds`(_ field: Field) throws {
        for value in field.taken {
            let text = try #require(try parameter(value))
            let request = try StillRequest(query: [(field.name, text)])
            // Equal to the decoded body, except for the default of `keep`.
            var same = try read("{\(field.with)\"\(field.name)\":\(value)}")
            if field.name != "keep" { same.keep = false }
            #expect(request == same, "\(value)")
            #expect(try StillRequest(query: try request.query) == request, "\(value)")
        }
    }

    @Test(arguments: fields.filter(\.isInQuery))
    func `a wrong query parameter is named`(_ field: Field) throws {
        // “true” and “[1]” are valid as text here, and a parameter has no quotation marks.
        let others = ["tags": ["true", "[1]"], "rotate": [#""90""#], "overlay": ["true"]][field.name] ?? []
        for value in field.refused where !others.contains(value) {
            guard let text = try parameter(value) else { continue }
            expectProblem(of: field.name, text) { try StillRequest(query: [(field.name, text)]) }
        }
    }

    @Test(arguments: [("maxAgeMs", 0.0...3_600_000), ("atMs", -3_600_000...0)])
    func `maxAgeMs and atMs have the same bounds in body and query`(
        _ name: String,
        _ range: ClosedRange<Double>
    ) throws {
        for value in [range.lowerBound, range.upperBound] {
            let body = try read("{\"fresh\":{\"\(name)\":\(value)}}")
            let query = try StillRequest(query: [(name, "\(value)")])
            #expect(query.fresh == body.fresh)
            #expect(try query.query.map(\.name) == [name])
        }
        for value in ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "x", "", "nan", "0x10"] {
            expectProblem(of: name, value) { try StillRequest(query: [(name, value)]) }
            expectProblem(of: "fresh.\(name)", value) { try read("{\"fresh\":{\"\(name)\":\"\(value)\"}}") }
        }
        expectProblem(of: "fresh.\(name)", "low") { try read("{\"fresh\":{\"\(name)\":\(range.lowerBound - 1)}}") }
    }

    @Test(arguments: [
        (#"{"fresh":{}}"#, "fresh.maxAgeMs"), (#"{"fresh":{"maxAgeMs":1,"atMs":-1}}"#, "fresh.maxAgeMs"),
        (#"{"fresh":{"maxAge":1}}"#, "fresh.maxAge"), (#"{"freshness":"next"}"#, "freshness"),
        (#"{"everyMs":1}"#, "everyMs"), (#"{"fromMs":1,"toMs":1}"#, "toMs"), (#"{"fromMs":1}"#, "toMs"),
        (#"{"fromMs":-1,"count":2}"#, "fromMs"), (#"{"toMs":1,"everyMs":2}"#, "toMs"),
        (#"{"nth":1,"toMs":1,"fresh":"next"}"#, "toMs"), (#"{"nth":2}"#, "nth"), (#"{"toMs":5,"count":2}"#, "toMs"),
        (#"{"fromMs":-5,"fresh":"next"}"#, "fromMs"), (#"{"nth":2,"count":2}"#, "nth"),
        (#"{"size":"max","count":2}"#, "size"), (#"{"size":"max","toMs":5}"#, "size"),
        (#"{"average":2,"toMs":5}"#, "average"), (#"{"average":2,"fresh":{"atMs":-5}}"#, "fresh.atMs"),
        (#"{"size":"max","fresh":{"atMs":-5}}"#, "fresh.atMs"),
        (#"{"settle":"always","fresh":{"atMs":-5}}"#, "fresh.atMs"),
    ])
    func `an invalid combination of fields is refused by name`(_ json: String, _ field: String) {
        expectProblem(of: field, json) { try read(json) }
    }

    private func expectProblem(of field: String, _ value: String, _ body: () throws -> StillRequest) {
        let problem = expectInvalid(field, body)
        #expect(problem?.detail.hasPrefix("The field \(field) ") == true, "\(value): \(problem?.detail ?? "")")
    }
}
