// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct StillRequestTests {
    private func read(_ text: String) throws -> StillRequest {
        try WireFormat.decode(StillRequest.self, from: Array(text.utf8))
    }

    @Test func `what is left out has the default of the design`() throws {
        let request = try read("{}")
        #expect(request == StillRequest())
        #expect(request.fresh == .request)
        #expect(request.deadline == .seconds(5))
        #expect(request.rendering == StillRendering())
        #expect(request.keep)
        #expect(request.durability == .full)
    }

    @Test(arguments: [
        (#""request""#, Freshness.request), (#""next""#, .next), (#""latest""#, .latest),
        (#"{"maxAgeMs":0}"#, .maxAge(.zero)), (#"{"maxAgeMs":1500.5}"#, .maxAge(.microseconds(1_500_500))),
        (#"{"maxAgeMs":3600000}"#, .maxAge(.seconds(3600))),
    ])
    func `every freshness is read`(_ json: String, _ fresh: Freshness) throws {
        #expect(try read(#"{"fresh":\#(json)}"#).fresh == fresh)
        #expect(try WireFormat.decode([Freshness].self, from: WireFormat.encode([fresh])) == [fresh])
    }

    @Test func `every field is read, and a request comes back from the wire`() throws {
        let text = #"{"fresh":"next","deadlineMs":250.5,"quality":1,"keep":false,"durability":"none"}"#
        let request = try read(text)
        let expected = StillRequest(
            fresh: .next,
            deadline: .microseconds(250_500),
            rendering: StillRendering(quality: 1),
            keep: false,
            durability: .none
        )
        #expect(request == expected)
        #expect(try WireFormat.decode(StillRequest.self, from: WireFormat.encode(request)) == request)
    }

    @Test(arguments: [
        (#"{"tags":7}"#, "Give a list of texts."), (#"{"keep":7}"#, "Give true or false."),
        (#"{"tags":null}"#, "Give a list of texts."),
    ])
    func `a field of the wrong type is asked for in words, not in types of Swift`(_ json: String, _ remedy: String) {
        let problem = #expect(throws: Problem.self) { try read(json) }
        #expect(problem?.remedy == remedy)
    }

    @Test(arguments: ["[]", "1", "null", ""])
    func `what is no object is refused`(_ json: String) {
        let problem = #expect(throws: Problem.self) { try read(json) }
        #expect(problem?.code == .invalidRequest)
    }
}
