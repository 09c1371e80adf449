// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct WarmthTests {
    @Test(arguments: [
        ("hot", Warmth.hot), ("cold", .cold), ("linger", .linger(.seconds(10))), ("linger 1.5m", .linger(.seconds(90))),
        ("linger 10 s", .linger(.seconds(10))), ("linger 0s", .linger(.zero)),
    ])
    func `a warmth is read`(_ text: String, _ warmth: Warmth) { #expect(Warmth(text) == warmth) }

    @Test(arguments: ["", "warm", "hot 10s", "cold 1s", "linger ten", "linger 10", "Hot"])
    func `what is no warmth is not read`(_ text: String) { #expect(Warmth(text) == nil) }

    @Test(arguments: [Warmth.hot, .cold, .linger(.seconds(90)), .linger(.milliseconds(1500))])
    func `what is written is read back`(_ warmth: Warmth) { #expect(Warmth(warmth.description) == warmth) }
}
