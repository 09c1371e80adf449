// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct CountTextTests {
    @Test(arguments: [(0, "0 pictures"), (1, "1 picture"), (2, "2 pictures"), (-1, "-1 pictures")])
    func `a noun is in the singular for one alone`(_ count: Int, _ text: String) {
        #expect(CountText.text(count, "picture") == text)
    }

    @Test func `an irregular noun has its own plural`() {
        #expect(CountText.text(1 as UInt64, "process was", "processes were") == "1 process was")
        #expect(CountText.text(2 as UInt64, "process was", "processes were") == "2 processes were")
    }
}
