// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeImaging
import TintypeModel

@testable import tintyped

/// The moment at which the clock of this process's zone shows a time such as `2026-11-21 12:00` or `… 12:00:07.5`.
func moment(_ text: String) -> Timestamp {
    guard let time = HumanTime.parse(text) else { preconditionFailure("no moment: \(text)") }
    let (day, rest) = time.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
    return LocalTime.moment(day: Int(rest < 0 ? day - 1 : day), time: rest < 0 ? rest + 86_400_000_000 : rest)
}

/// A time such as `12:30`, or with some of its date as in `22 12:30`, with the rest of the date of `moment` before it.
func completed(_ text: String, like moment: String) -> String {
    moment.prefix(13 - text.prefix { $0 != ":" }.count) + text
}

extension StillRecord {
    /// The record of a picture of one pixel that was captured at `time`.
    init(at time: Timestamp, camera: String = "front", bytes: Int = 1, sequence: UInt32 = 0) {
        self.init(
            id: FrameID(at: time),
            camera: camera,
            bytes: bytes,
            width: 1,
            height: 1,
            sequence: sequence,
            capturedAt: time,
            timestampSource: .dequeue
        )
    }
}

/// The slots of a schedule that the configuration tells, such as `every: 1h, align: clock`.
func slotTimes(_ schedule: String) throws -> SlotTimes {
    try #require(try configuredCamera("publish: {\(schedule)}").publish.first).times
}
