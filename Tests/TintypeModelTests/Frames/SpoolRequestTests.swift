// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct SpoolRequestTests {
    @Test func `an empty request has the defaults`() throws {
        #expect(try WireFormat.decode(VerificationRequest.self, from: "{}".utf8) == VerificationRequest())
        #expect(try WireFormat.decode(RetentionRequest.self, from: "{}".utf8) == RetentionRequest())
    }

    @Test func `decodes every field of a request`() throws {
        #expect(
            try WireFormat.decode(VerificationRequest.self, from: #"{"deep":true,"spool":"a"}"#.utf8)
                == VerificationRequest(deep: true, spool: "a")
        )
        let confirmed = RetentionRequest(confirm: true, spool: "b")
        #expect(try WireFormat.decode(RetentionRequest.self, from: try WireFormat.encode(confirmed)) == confirmed)
    }

    @Test(arguments: [
        (#"{"dryRun":1}"#, "dryRun"), (#"{"dryrun":true}"#, "dryrun"), (#"{"spool":7}"#, "spool"),
        (#"{"confirm":"yes"}"#, "confirm"),
    ])
    func `a wrong field of a request is named`(json: String, field: String) {
        expectInvalid(field) { try WireFormat.decode(RetentionRequest.self, from: json.utf8) }
    }

    @Test(
        arguments: [
            ("16", 16), ("1920", 1920), (nil, ThumbnailWidth.standard), ("15", nil), ("1921", nil), ("-320", nil),
            ("", nil), ("3e2", nil), ("320px", nil), ("99999999999999999999", nil),
        ] as [(String?, Int?)]
    )
    func `accepts thumbnail widths from 16 to 1920 only`(text: String?, width: Int?) {
        do throws(Problem) {
            #expect(try ThumbnailWidth.read(text) == width)
        } catch {
            #expect(error.field == "width" && width == nil)
        }
    }
}
