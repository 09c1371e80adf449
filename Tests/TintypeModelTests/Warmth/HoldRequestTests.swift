// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct HoldRequestTests {
    @Test func `hold and release requests round-trip through JSON`() throws {
        let request = HoldRequest(owner: "timelapse läuft", duration: .milliseconds(1500))
        #expect(try WireFormat.decode(HoldRequest.self, from: WireFormat.encode(request)) == request)
        for release in [ReleaseRequest(), ReleaseRequest(owner: "ann")] {
            #expect(try WireFormat.decode(ReleaseRequest.self, from: WireFormat.encode(release)) == release)
        }
    }

    @Test(arguments: [
        (#"{}"#, "owner", "is missing"), (#"{"owner":"ann"}"#, "forMs", "is missing"),
        (#"{"owner":"","forMs":1}"#, "owner", "is empty"), (#"{"owner":7,"forMs":1}"#, "owner", "wrong type"),
        (#"{"owner":"a\nb","forMs":1}"#, "owner", "control character"),
        (#"{"owner":"ann","forMs":0}"#, "forMs", "from 1 to 86400000"),
        (#"{"owner":"ann","forMs":86400001}"#, "forMs", "from 1 to 86400000"),
        (#"{"owner":"ann","forMs":"10m"}"#, "forMs", "from 1 to 86400000"),
        (#"{"owner":"ann","forMs":1,"until":2}"#, "until", "is not known"),
    ])
    func `a wrong field is named`(_ json: String, _ field: String, _ words: String) {
        let problem = expectInvalid(field) { try WireFormat.decode(HoldRequest.self, from: json.utf8) }
        #expect(problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
    }

    @Test(arguments: [#"{"owner":""}"#, #"{"owner":true}"#, #"{"all":true}"#])
    func `a release with an invalid owner or field is refused`(_ json: String) {
        let problem = #expect(throws: Problem.self) { try WireFormat.decode(ReleaseRequest.self, from: json.utf8) }
        #expect(problem?.code == .invalidRequest)
    }

    @Test func `an owner has 1 to 64 printable characters`() {
        for owner in ["a", "ann@host:42", "Gärtnerei 3", String(repeating: "x", count: 64)] {
            #expect(HoldRequest.isValid(owner: owner))
        }
        for owner in ["", String(repeating: "x", count: 65), "a\u{0}", "a\u{7F}", "\u{2028}", "a\r\nb"] {
            #expect(!HoldRequest.isValid(owner: owner))
        }
    }
}
