// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct SpoolRequestTests {
    @Test func `what is left out has its default, and what is given is read`() throws {
        #expect(try WireFormat.decode(VerificationRequest.self, from: "{}".utf8) == VerificationRequest())
        #expect(
            try WireFormat.decode(VerificationRequest.self, from: #"{"deep":true,"spool":"a"}"#.utf8)
                == VerificationRequest(deep: true, spool: "a")
        )
        #expect(try WireFormat.decode(RetentionRequest.self, from: "{}".utf8) == RetentionRequest())
        let confirmed = RetentionRequest(confirm: true, spool: "b")
        #expect(try WireFormat.decode(RetentionRequest.self, from: try WireFormat.encode(confirmed)) == confirmed)
    }

    @Test(arguments: [
        (#"{"dryRun":1}"#, "dryRun"), (#"{"dryrun":true}"#, "dryrun"), (#"{"spool":7}"#, "spool"),
        (#"{"confirm":"yes"}"#, "confirm"),
    ])
    func `a wrong request is refused by its field`(json: String, field: String) {
        let problem = #expect(throws: Problem.self) {
            try WireFormat.decode(RetentionRequest.self, from: json.utf8)
        }
        #expect(problem?.code == .invalidRequest)
        #expect(problem?.field == field)
    }

    @Test(arguments: ["16", "1920", "320"])
    func `a width in its range is read`(text: String) throws {
        #expect(try ThumbnailWidth.read(text) == Int(text))
        #expect(try ThumbnailWidth.read(nil) == ThumbnailWidth.standard)
    }

    @Test(arguments: ["15", "1921", "-320", "", "3e2", "320px", "99999999999999999999"])
    func `any other width is refused`(text: String) {
        let problem = #expect(throws: Problem.self) { try ThumbnailWidth.read(text) }
        #expect(problem?.field == "width")
    }

    @Test func `a page tells which spools did not answer`() throws {
        let page = FramePage(frames: [], unavailable: ["usb"])
        #expect(try WireFormat.decode(FramePage.self, from: try WireFormat.encode(page)) == page)
        #expect(String(decoding: try WireFormat.encode(FramePage(frames: [])), as: UTF8.self) == #"{"frames":[]}"#)
    }
}
