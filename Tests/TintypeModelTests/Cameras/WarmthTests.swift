// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct WarmthTests {
    @Test(arguments: [
        ("hot", Warmth.hot), ("cold", .cold), ("linger", .linger(.seconds(10))), ("linger 1.5m", .linger(.seconds(90))),
        ("linger 10 s", .linger(.seconds(10))), ("linger 0s", .linger(.zero)),
    ])
    func `parses every warmth`(_ text: String, _ warmth: Warmth) { #expect(Warmth(text) == warmth) }

    @Test(arguments: ["", "warm", "hot 10s", "cold 1s", "linger ten", "linger 10", "Hot"])
    func `rejects an invalid warmth`(_ text: String) { #expect(Warmth(text) == nil) }

    @Test(arguments: [Warmth.hot, .cold, .linger(.seconds(90)), .linger(.milliseconds(1500))])
    func `the description parses back to the same warmth`(_ warmth: Warmth) {
        #expect(Warmth(warmth.description) == warmth)
    }
}
