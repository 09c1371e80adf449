// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct StillRequestTests {
    private func read(_ text: String) throws -> StillRequest {
        try WireFormat.decode(StillRequest.self, from: Array(text.utf8))
    }

    @Test func `an empty request has the defaults of the design`() throws {
        let request = try read("{}")
        #expect(request == StillRequest())
        #expect(request.fresh == .request)
        #expect(request.deadline == .seconds(5))
        #expect(request.rendering == ImageOptions())
        #expect(request.keep)
        #expect(request.durability == .full)
    }

    @Test(arguments: [
        (#""request""#, Freshness.request), (#""next""#, .next), (#""latest""#, .latest),
        (#"{"maxAgeMs":0}"#, .maxAge(.zero)), (#"{"maxAgeMs":1500.5}"#, .maxAge(.microseconds(1_500_500))),
        (#"{"maxAgeMs":3600000}"#, .maxAge(.seconds(3600))),
    ])
    func `every freshness round-trips through JSON`(_ json: String, _ fresh: Freshness) throws {
        #expect(try read(#"{"fresh":\#(json)}"#).fresh == fresh)
        #expect(try WireFormat.decode([Freshness].self, from: WireFormat.encode([fresh])) == [fresh])
    }

    @Test(arguments: [
        (#"{"tags":7}"#, "Give a list of texts."), (#"{"keep":7}"#, "Give true or false."),
        (#"{"tags":null}"#, "Give a list of texts."),
    ])
    func `the remedy for a wrong type names no Swift type`(_ json: String, _ remedy: String) {
        let problem = #expect(throws: Problem.self) { try read(json) }
        #expect(problem?.remedy == remedy)
    }

    @Test(arguments: [
        (#"{"count":1}"#, nil), (#"{"count":3}"#, Burst.count(3, every: .zero)),
        (#"{"count":1000,"everyMs":3600000}"#, .count(1000, every: .seconds(3600))),
        (#"{"count":1,"everyMs":0}"#, .count(1, every: .zero)),
        (#"{"fromMs":-1500}"#, .span(from: .milliseconds(-1500), to: .zero, nth: 1)),
        (#"{"toMs":10.5,"nth":1000}"#, .span(from: .zero, to: .microseconds(10_500), nth: 1000)),
    ])
    func `a burst round-trips through JSON`(_ json: String, _ burst: Burst?) throws {
        let request = try read(json)
        #expect(request.burst == burst)
        #expect(try WireFormat.decode(StillRequest.self, from: WireFormat.encode(request)) == request)
    }

    @Test(arguments: [
        (nil, Duration.seconds(5)), (Burst.count(3, every: .zero), .seconds(15)),
        (.count(3, every: .seconds(60)), .seconds(125)),
        (.span(from: .seconds(-9), to: .seconds(-1), nth: 1), .seconds(5)),
        (.span(from: .seconds(-9), to: .seconds(20), nth: 5), .seconds(25)),
    ])
    func `the longest duration follows from the burst`(_ burst: Burst?, _ longest: Duration) {
        #expect(StillRequest(burst: burst).longestDuration == longest)
    }

    @Test func `missed stills of a burst round-trip through JSON`() throws {
        let problem = Problem(.deadlineExceeded, "No picture came.", remedy: "Wait.")
        let list = StillList(stills: [], missed: [MissedStill(index: 7, problem)])
        let text = String(decoding: try WireFormat.encode(list), as: UTF8.self)
        #expect(text == #"{"missed":[{"code":"deadline-exceeded","detail":"No picture came.","index":7}],"stills":[]}"#)
        #expect(try WireFormat.decode(StillList.self, from: Array(text.utf8)) == list)
    }

    @Test func `a list without missed stills omits them`() throws {
        #expect(String(decoding: try WireFormat.encode(StillList(stills: [])), as: UTF8.self) == #"{"stills":[]}"#)
    }
}
