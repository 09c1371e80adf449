// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

/// What a request for several stills says, and what it cannot.
struct BurstRequestTests {
    private func read(_ text: String) throws -> StillRequest {
        try WireFormat.decode(StillRequest.self, from: Array(text.utf8))
    }

    @Test(arguments: [
        (#"{"count":1}"#, nil), (#"{"count":3}"#, Burst.count(3, every: .zero)),
        (#"{"count":1000,"everyMs":3600000}"#, .count(1000, every: .seconds(3600))),
        (#"{"count":1,"everyMs":0}"#, .count(1, every: .zero)),
        (#"{"fromMs":-1500}"#, .span(from: .milliseconds(-1500), to: .zero, nth: 1)),
        (#"{"toMs":10.5,"nth":1000}"#, .span(from: .zero, to: .microseconds(10_500), nth: 1000)),
    ])
    func `a burst is read, and comes back from the wire`(_ json: String, _ burst: Burst?) throws {
        let request = try read(json)
        #expect(request.burst == burst)
        #expect(try WireFormat.decode(StillRequest.self, from: WireFormat.encode(request)) == request)
    }

    @Test(arguments: [
        (#"{"count":0}"#, "count"), (#"{"count":1001}"#, "count"), (#"{"count":"3"}"#, "count"),
        (#"{"everyMs":5}"#, "everyMs"), (#"{"count":2,"everyMs":-1}"#, "everyMs"),
        (#"{"count":2,"everyMs":3600001}"#, "everyMs"), (#"{"fromMs":-3600001}"#, "fromMs"),
        (#"{"fromMs":5}"#, "toMs"), (#"{"toMs":3600001}"#, "toMs"), (#"{"toMs":5,"fromMs":5}"#, "toMs"),
        (#"{"toMs":5,"nth":0}"#, "nth"), (#"{"toMs":5,"nth":1001}"#, "nth"), (#"{"toMs":5,"count":2}"#, "toMs"),
        (#"{"fromMs":-5,"fresh":"next"}"#, "fromMs"), (#"{"nth":2,"count":2}"#, "nth"),
        (#"{"size":"max","count":2}"#, "size"), (#"{"size":"max","toMs":5}"#, "size"),
        (#"{"average":2,"toMs":5}"#, "average"), (#"{"average":2,"fresh":{"atMs":-5}}"#, "fresh.atMs"),
        (#"{"size":"max","fresh":{"atMs":-5}}"#, "fresh.atMs"),
        (#"{"settle":"always","fresh":{"atMs":-5}}"#, "fresh.atMs"), (#"{"fresh":{"atMs":1}}"#, "fresh.atMs"),
        (#"{"fresh":{"atMs":-3600001}}"#, "fresh.atMs"), (#"{"fresh":{"atMs":-5,"maxAgeMs":5}}"#, "fresh.maxAgeMs"),
    ])
    func `what is out of range or makes no sense together is refused by its name`(_ json: String, _ field: String) {
        let problem = #expect(throws: Problem.self) { try read(json) }
        #expect(problem?.code == .invalidRequest)
        #expect(problem?.field == field)
        #expect(problem?.remedy.isEmpty == false)
    }

    @Test(arguments: [
        (nil, Duration.seconds(5)), (Burst.count(3, every: .zero), .seconds(15)),
        (.count(3, every: .seconds(60)), .seconds(125)),
        (.span(from: .seconds(-9), to: .seconds(-1), nth: 1), .seconds(5)),
        (.span(from: .seconds(-9), to: .seconds(20), nth: 5), .seconds(25)),
    ])
    func `how long a request can take is known before`(_ burst: Burst?, _ longest: Duration) {
        #expect(StillRequest(burst: burst).longestDuration == longest)
    }

    @Test func `what is missing of a burst is on the wire, and nothing where nothing is`() throws {
        let problem = Problem(.deadlineExceeded, "No picture came.", remedy: "Wait.")
        let list = StillList(stills: [], missed: [MissedStill(index: 7, problem)])
        let text = String(decoding: try WireFormat.encode(list), as: UTF8.self)
        #expect(text == #"{"missed":[{"code":"deadline-exceeded","detail":"No picture came.","index":7}],"stills":[]}"#)
        #expect(try WireFormat.decode(StillList.self, from: Array(text.utf8)) == list)
        #expect(String(decoding: try WireFormat.encode(StillList(stills: [])), as: UTF8.self) == #"{"stills":[]}"#)
    }
}
