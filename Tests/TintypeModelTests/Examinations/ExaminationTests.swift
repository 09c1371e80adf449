// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct ExaminationTests {
    private func read(_ text: String) throws -> ExaminationRequest {
        try WireFormat.decode(ExaminationRequest.self, from: Array(text.utf8))
    }

    @Test func `an empty request has the defaults`() throws {
        #expect(try read("{}") == ExaminationRequest(frames: 30, deadline: .seconds(5)))
    }

    @Test func `a request round-trips through JSON`() throws {
        let request = try read(#"{"frames":1000,"deadlineMs":250.5}"#)
        #expect(request == ExaminationRequest(frames: 1000, deadline: .microseconds(250_500)))
        #expect(try WireFormat.decode(ExaminationRequest.self, from: WireFormat.encode(request)) == request)
    }

    @Test(arguments: [
        (#"{"frames":0}"#, "frames"), (#"{"frames":1001}"#, "frames"), (#"{"frames":"9"}"#, "frames"),
        (#"{"deadlineMs":0}"#, "deadlineMs"), (#"{"deadlineMs":600001}"#, "deadlineMs"), (#"{"count":3}"#, "count"),
    ])
    func `a wrong field is named`(_ json: String, _ field: String) {
        expectInvalid(field) { try read(json) }
    }
}
