// SPDX-License-Identifier: Apache-2.0
import TintypeImaging
import TintypeModel

/// The moment at which the clock of this process's zone shows a time such as `2026-11-21 12:00` or `… 12:00:07.5`.
func moment(_ text: String) -> Timestamp {
    guard let time = HumanTime.parse(text) else { preconditionFailure("no moment: \(text)") }
    let (day, rest) = time.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
    return LocalTime.moment(day: Int(rest < 0 ? day - 1 : day), time: rest < 0 ? rest + 86_400_000_000 : rest)
}
