// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, and its number since 1970 (POSIX.1-2017, 4.16 "Seconds Since the Epoch").
///
/// Years are counted from March here, so that the leap day is the last of its year.
struct CivilDate: Hashable {
    let year: Int
    let month: Int
    let day: Int

    private static let daysInFourCenturies = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let epoch = 719_468

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSince1970 days: Int) {
        let shifted = days + Self.epoch
        let era = (shifted >= 0 ? shifted : shifted - Self.daysInFourCenturies + 1) / Self.daysInFourCenturies
        let dayOfEra = shifted - era * Self.daysInFourCenturies
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysInFourCenturies + dayOfEra - Self.epoch
    }
}
