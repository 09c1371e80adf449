// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct DurationTests {
    @Test(arguments: [
        ("200ms", Duration.milliseconds(200)), ("10s", .seconds(10)), ("1.5m", .seconds(90)), ("1h", .seconds(3600)),
        ("2d", .seconds(172_800)), ("10 s", .seconds(10)), ("0s", .zero), ("0.001ms", .microseconds(1)),
        ("3650d", .seconds(315_360_000)), ("1y", .seconds(31_536_000)), ("10y", .seconds(315_360_000)),
    ])
    func `parses durations with a unit`(_ text: String, _ duration: Duration) {
        #expect(HumanDuration.parse(text) == duration)
    }

    @Test(arguments: [
        "", "10", "s", "-1s", "1.2345s", "10 sec", "1h30m", "3651d", "10.1y", "١s", "10s ", " 10s", "1e3s", ".5s",
        "1,5s", "10S",
    ])
    func `rejects an invalid duration`(_ text: String) { #expect(HumanDuration.parse(text) == nil) }

    @Test(arguments: [
        (Duration.zero, "0s"), (.seconds(90), "90s"), (.seconds(300), "5m"), (.milliseconds(1500), "1500ms"),
        (.seconds(3600), "1h"), (.seconds(86_400), "1d"), (.seconds(31_536_000), "1y"), (.seconds(31_622_400), "366d"),
    ])
    func `a duration round-trips in its largest whole unit`(_ duration: Duration, _ text: String) {
        #expect(HumanDuration.text(duration) == text)
        #expect(HumanDuration.parse(text) == duration)
    }

    @Test func `milliseconds are encoded to the microsecond`() throws {
        let json = try WireFormat.encode([Milliseconds(.microseconds(12_345)), Milliseconds(.nanoseconds(1499))])
        #expect(String(decoding: json, as: UTF8.self) == "[12.345,0.001]")
        let read = try WireFormat.decode([Milliseconds].self, from: Array("[0,12.345,-3]".utf8))
        #expect(read.map(\.duration) == [.zero, .microseconds(12_345), .milliseconds(-3)])
    }

    @Test(arguments: ["[1e12]", "[-1e300]", #"["5"]"#, "[null]"])
    func `refuses invalid milliseconds`(_ json: String) {
        #expect(throws: Problem.self) { try WireFormat.decode([Milliseconds].self, from: Array(json.utf8)) }
    }

    @Test func `monotonic time has nanosecond arithmetic`() {
        let time = MonotonicTime(nanoseconds: 5_000_000_001)
        #expect(time + .seconds(2) - time == .seconds(2))
        #expect((time - .seconds(6)).nanoseconds == -999_999_999)
        #expect(time - .nanoseconds(1) < time)
    }

    @Test func `a duration counts its milliseconds and nanoseconds`() {
        #expect(Duration.milliseconds(1500).millisecondCount == 1500)
        #expect(Duration.seconds(-3).nanosecondCount == -3_000_000_000)
    }

    @Test(arguments: [
        (0.0, "0 ms"), (0.0001, "under 0.1 ms"), (0.05, "0.1 ms"), (0.42, "0.4 ms"), (9.96, "10 ms"), (33.4, "33 ms"),
        (999.6, "1 s"), (1500, "1.5 s"),
        (59_949, "59.9 s"), (125_000, "2 min 5 s"), (12_000_000, "3 h 20 min"), (352_800_000, "4 d 2 h"),
    ])
    func `a spoken duration has about three digits`(_ milliseconds: Double, _ text: String) {
        #expect(SpokenDuration.text(.milliseconds(milliseconds)) == text)
    }
}
