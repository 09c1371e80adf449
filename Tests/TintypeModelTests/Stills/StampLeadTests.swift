// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct StampLeadTests {
    @Test(arguments: [
        ("auto", StampLead.auto), ("0ms", .fixed(.zero)), ("50ms", .fixed(.milliseconds(50))),
        ("10s", .fixed(.seconds(10))), ("11s", nil), ("-5ms", nil), ("50", nil), ("", nil), ("Auto", nil),
    ])
    func `a lead is auto or a time of at most ten seconds`(text: String, lead: StampLead?) {
        #expect(StampLead(text) == lead)
    }
}
