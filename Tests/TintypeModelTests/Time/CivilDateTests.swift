// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

struct CivilDateTests {
    /// A date and its number.
    struct Case: CustomTestStringConvertible, Sendable {
        let date: CivilDate
        let days: Int
        var testDescription: String { "\(date.year)-\(date.month)-\(date.day)" }

        init(_ year: Int, _ month: Int, _ day: Int, _ days: Int) {
            date = CivilDate(year: year, month: month, day: day)
            self.days = days
        }
    }

    @Test(arguments: [
        Case(1970, 1, 1, 0), Case(1969, 12, 31, -1), Case(1970, 3, 1, 59), Case(2000, 2, 29, 11016),
        Case(2000, 3, 1, 11017), Case(1900, 2, 28, -25509), Case(1900, 3, 1, -25508), Case(2024, 2, 29, 19782),
        Case(2026, 11, 21, 20778), Case(2100, 2, 28, 47540), Case(2100, 3, 1, 47541), Case(1600, 2, 29, -135081),
    ])
    func `a date has the number that the calendar gives it, and back`(_ item: Case) {
        #expect(item.date.daysSince1970 == item.days)
        #expect(CivilDate(daysSince1970: item.days) == item.date)
    }

    @Test func `each of three hundred thousand days follows the one before`() {
        var last = CivilDate(daysSince1970: -150_001)
        for day in -150_000...150_000 {
            let date = CivilDate(daysSince1970: day)
            let isNext =
                (date.year, date.month, date.day) == (last.year, last.month, last.day + 1)
                || (date.day == 1 && (date.year, date.month) == (last.year, last.month + 1))
                || (date.day == 1 && date.month == 1 && date.year == last.year + 1 && last.day == 31)
            guard isNext, date.daysSince1970 == day, last.day >= 28 || date.day == last.day + 1 else {
                Issue.record("day \(day): \(date) after \(last)")
                return
            }
            last = date
        }
    }
}
