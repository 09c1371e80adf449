// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct StampLeadTests {
    @Test(arguments: [
        ("auto", StampLead.auto), ("0ms", .fixed(.zero)), ("50ms", .fixed(.milliseconds(50))),
        ("10s", .fixed(.seconds(10))), ("11s", nil), ("-5ms", nil), ("50", nil), ("", nil), ("Auto", nil),
    ])
    func `parses auto and durations up to ten seconds only`(text: String, lead: StampLead?) {
        #expect(StampLead(text) == lead)
    }
}
