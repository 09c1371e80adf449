// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct HumanDurationTests {
    @Test(arguments: [
        ("200ms", Duration.milliseconds(200)), ("10s", .seconds(10)), ("1.5m", .seconds(90)), ("1h", .seconds(3600)),
        ("2d", .seconds(172_800)), ("0s", .zero), ("0.001s", .milliseconds(1)), ("5 m", .seconds(300)),
    ])
    func `a number with its unit is a duration`(_ text: String, _ duration: Duration) {
        #expect(HumanDuration.parse(text) == duration)
    }

    @Test(arguments: ["", "10", "s", "-1s", "1,5s", "10 seconds", "1e3s", "10S", " 10s", "1.0001s", "4000d", "٣s"])
    func `anything else is none`(_ text: String) {
        #expect(HumanDuration.parse(text) == nil)
    }

    @Test(arguments: ["1500ms", "90s", "5m", "1h", "366d", "0s"]) func `its text reads back`(_ text: String) throws {
        #expect(HumanDuration.text(try #require(HumanDuration.parse(text))) == text)
    }
}
