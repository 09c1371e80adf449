// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct HumanTimeTests {
    @Test(arguments: [
        ("2026-11-20", "2026-11-20T00:00:00Z"), ("2026-11-20Z", "2026-11-20T00:00:00Z"),
        ("2026-11-20+01:00", "2026-11-19T23:00:00Z"), ("2026-11-20T12:30", "2026-11-20T12:30:00Z"),
        ("2026-11-20 12:30Z", "2026-11-20T12:30:00Z"), ("2026-11-20T12:30:05", "2026-11-20T12:30:05Z"),
        ("2026-11-20T12:30:05.123456Z", "2026-11-20T12:30:05.123456Z"),
        ("2026-11-20T12:30:05.5-05:30", "2026-11-20T18:00:05.5Z"), ("2026-11-20T00:15+0130", nil),
        ("2024-02-29T00:00+01", "2024-02-28T23:00:00Z"), ("2026-02-29", nil), ("2026-11-20T24:00", nil),
        ("2026-11-20T12", nil), ("2026-11-20T12:60", nil), ("2026-11-20T12:30:05.", nil),
        ("2026-11-20T12:30:05.1234567", nil),
        ("2026-11-20T12:30+24:00", nil), ("2026-11-20T12:30+01:60", nil), ("2026-11-20x", nil), ("2026-1-2", nil),
        ("", nil), ("yesterday", nil), ("2026-11-20T12:30ZZ", nil), ("2026-11-20T12:30Z ", nil), ("+026-11-20", nil),
    ])
    func `parses dates with an optional time and offset only`(_ text: String, _ time: String?) {
        #expect(HumanTime.parse(text) == time.flatMap { Timestamp($0) })
    }

    @Test(arguments: [
        ("2026-11-20", "2026-11-20T00:00:00Z"), ("2026-11-20-02:00", "2026-11-20T02:00:00Z"),
        ("2026-11-20T00:00", nil), ("2026-11-20 00:00Z", nil), ("2026-11", nil), ("", nil),
    ])
    func `parses a day without a time of day only`(_ text: String, _ time: String?) {
        #expect(HumanTime.parseDay(text) == time.flatMap { Timestamp($0) })
    }
}
