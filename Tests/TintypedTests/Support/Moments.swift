// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeImaging
import TintypeModel

@testable import tintyped

/// Moment of a local time in this process's zone, such as `2026-11-21 12:00` or `… 12:00:07.5`.
func moment(_ text: String) -> Timestamp {
    guard let time = HumanTime.parse(text) else { preconditionFailure("no moment: \(text)") }
    let (day, rest) = time.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
    return LocalTime.moment(day: Int(rest < 0 ? day - 1 : day), time: rest < 0 ? rest + 86_400_000_000 : rest)
}

/// Completes a time such as `12:30` or `22 12:30` with the date of `moment`.
func completed(_ text: String, like moment: String) -> String {
    moment.prefix(13 - text.prefix { $0 != ":" }.count) + text
}

extension StillRecord {
    /// Creates the record of a one-pixel picture captured at `time`.
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

/// Slots of a schedule as configured, such as `every: 1h, align: clock`.
func slotTimes(_ schedule: String) throws -> SlotTimes {
    try #require(try configuredCamera("publish: {\(schedule)}").publish.first).times
}
