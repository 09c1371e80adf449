// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

struct StreamRequestTests {
    private static func read(_ query: String) throws(Problem) -> StreamRequest {
        try StreamRequest(query: parameters(query))
    }

    private static func parameters(_ query: String) -> [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    @Test func `an empty query requests every frame, unstored, with tolerant integrity`() throws {
        let request = try Self.read("")
        #expect(request.rate == nil && request.interval == .zero)
        #expect(!request.placeholder && request.advanceHeaders == nil)
        #expect(request.picture == StillRequest(integrity: .tolerant, keep: false))
        #expect(try Self.read("settle=auto") == request)
    }

    @Test func `parses every parameter`() throws {
        let request = try Self.read(
            "rate=12.5&placeholder=true&advanceHeaders=1&width=320&quality=70&rotate=180&integrity=strict&deadlineMs=900"
        )
        #expect(request.interval == .milliseconds(80))
        #expect(request.placeholder && request.advanceHeaders == true)
        #expect(request.picture.rendering == ImageOptions(quality: 70, width: 320, turn: .half))
        #expect(request.picture.integrity == .strict && request.picture.deadline == .milliseconds(900))
        #expect(try Self.read("rate=1e-300").interval == .seconds(86_400))
        #expect(try Self.read("rate=1000").interval == .milliseconds(1))
    }

    @Test(arguments: [
        ("rate=0", "rate"), ("rate=-1", "rate"), ("rate=1000.1", "rate"), ("rate=fast", "rate"), ("rate=", "rate"),
        ("rate=1&rate=2", "rate"), ("placeholder=yes", "placeholder"), ("advanceHeaders=2", "advanceHeaders"),
        ("width=0", "width"), ("fresh=latest", "fresh"), ("keep=true", "keep"), ("tags=a", "tags"),
        ("count=2", "count"), ("average=2", "average"), ("size=max", "size"),
    ])
    func `a parameter that is invalid for streams is named`(query: String, field: String) {
        expectInvalid(field) { try Self.read(query) }
    }

    @Test func `a stream of several cameras has their names and the fields of a stream`() throws {
        let all = try CombinedStreamRequest(query: [])
        #expect(all.cameras == nil && all.opened == [] && all.stream == StreamRequest())
        let query = Self.parameters("camera=yard,door&open=door&width=480&rate=5")
        let request = try CombinedStreamRequest(query: query)
        #expect(request.cameras == ["yard", "door"] && request.opened == ["door"])
        #expect(try request.stream == Self.read("width=480&rate=5"))
    }

    @Test(arguments: [
        ("camera=", "camera"), ("camera=a,,b", "camera"), ("camera=a&camera=b", "camera"), ("open=", "open"),
        ("camera=a&open=b", "open"), ("placeholder=true", "placeholder"), ("advanceHeaders=true", "advanceHeaders"),
        ("rate=0", "rate"), ("keep=true", "keep"),
    ])
    func `a parameter that is invalid for several cameras is named`(query: String, field: String) {
        expectInvalid(field) { try CombinedStreamRequest(query: Self.parameters(query)) }
    }
}
