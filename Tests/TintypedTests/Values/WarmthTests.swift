// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct WarmthTests {
    @Test(arguments: [
        ("hot", Warmth.hot), ("cold", .cold), ("linger", .linger(.seconds(10))), ("linger 2m", .linger(.seconds(120))),
        ("linger 5 s", .linger(.seconds(5))),
    ])
    func `a warmth is read from its text`(_ text: String, _ warmth: Warmth) {
        #expect(Warmth(text) == warmth)
        #expect(Warmth(warmth.description) == warmth)
    }

    @Test(arguments: ["", "warm", "hot 10s", "cold 1s", "linger x", "linger 10", "Hot"])
    func `anything else is none`(_ text: String) {
        #expect(Warmth(text) == nil)
    }
}
