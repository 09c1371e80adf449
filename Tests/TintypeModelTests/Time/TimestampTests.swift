// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeModel

struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
        (1_795_271_412_345_678, "2026-11-21T14:30:12.345678Z"), (951_827_696_000_000, "2000-02-29T12:34:56.000000Z"),
        (-2_203_891_200_000_000, "1900-03-01T00:00:00.000000Z"),
    ])
    func `a timestamp round-trips as UTC text with microseconds`(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp(microseconds: microseconds).description == text)
        #expect(Timestamp(text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        ("2026-11-21T14:30:12Z", 0), ("2026-11-21T14:30:12.5Z", 500_000), ("2026-11-21T14:30:12.000001Z", 1),
        ("2026-11-21T14:30:12.120Z", 120_000),
    ])
    func `parses zero to six decimals`(_ text: String, _ fraction: Int) {
        #expect(Timestamp(text)?.utc.microsecond == fraction)
        #expect(Timestamp(text)?.utc.second == 12)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T23:60:00Z", "2026-11-21T23:00:60Z",
        "2026-11-21T14:30:12+01:00", "2026-11-21T14:30:12.1234567Z", "2026-11-21t14:30:12Z", " 2026-11-21T14:30:12Z",
        "2026-11-21 14:30:12Z", "2026-11-21T14:30:12", "2026-11-21T14:30Z", "2026-11-21T14:30:12.Z",
        "２０２６-11-21T14:30:12Z", "2026-11-21T14:30:１２Z", "2026-11-21T14:30:12ZZ", "2026-11-21T14:30:12+00:00Z",
    ])
    func `rejects text that is not a UTC timestamp`(_ text: String) { #expect(Timestamp(text) == nil) }

    @Test(arguments: [Int.min, -9_223_372_036_855, 9_223_372_036_855, 9_999_999_999_999, Int.max])
    func `a file time at its extremes is limited, and can be compared and printed`(_ seconds: Int) {
        let time = Timestamp(timespec(tv_sec: seconds, tv_nsec: 999_999_999))
        let now = Timestamp(microseconds: 1_795_271_412_345_678)
        #expect((time < now) == (seconds < 0))
        #expect((now - time < .zero) == (seconds > 0))
        // Some 292 years are the most that nanoseconds can count.
        #expect((now - time).nanosecondCount == (seconds < 0 ? Int64.max : .min))
        #expect(time.description.hasSuffix("Z"))
    }

    @Test(arguments: [Int64.min, Int64.max])
    func `arithmetic with a time at its extremes saturates`(_ extreme: Int64) {
        let (time, zero) = (Timestamp(microseconds: extreme), Timestamp(microseconds: 0))
        #expect((time + .seconds(extreme < 0 ? -1 : 1)).microseconds == extreme)
        #expect((time - .seconds(extreme < 0 ? 1 : -1)).microseconds == extreme)
        #expect((time - zero < .zero) == (extreme < 0) && (zero - time < .zero) == (extreme > 0))
        #expect(!time.description.isEmpty)
        let moment = MonotonicTime(nanoseconds: extreme)
        #expect((moment + .seconds(extreme)).nanoseconds == extreme)
        #expect((moment - .seconds(extreme < 0 ? 1 : -1)).nanoseconds == extreme)
        #expect((moment - MonotonicTime(nanoseconds: 0)).nanosecondCount == extreme)
        #expect(Duration.seconds(extreme).nanosecondCount == extreme)
    }

    @Test func `timestamps of four centuries round-trip through their UTC parts`() {
        var moment: Int64 = -6_000_000_000_000_000
        while moment < 7_000_000_000_000_000 {
            let time = Timestamp(microseconds: moment)
            #expect(Timestamp(utc: time.utc) == time)
            moment += 12_345_678_901_234
        }
    }
}
