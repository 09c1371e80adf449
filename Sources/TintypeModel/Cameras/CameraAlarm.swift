// SPDX-License-Identifier: Apache-2.0

/// Condition of a camera for which an alarm begins once it has lasted; the raw value is also its key in the
/// configuration.
package enum CameraAlarm: String, Hashable, Sendable, Codable, CaseIterable, CodingKey, WireType {
    /// The camera is in use and gives no good frame.
    case noPicture
    /// Judged frames are equal; a live sensor never delivers this.
    case frozen
    case black
    case uniform

    /// Time that a condition must last by default.
    package static let usualTime = Duration.seconds(60)

    /// `time` is as in “for 1 min” or “since 14:30”.
    package func text(of camera: String, _ time: String) -> String {
        switch self {
        case .noPicture: "The camera \(camera) has given no picture \(time)."
        case .frozen: "The picture of the camera \(camera) has not changed \(time)."
        case .black: "The picture of the camera \(camera) has been black \(time)."
        case .uniform: "The picture of the camera \(camera) has been of one tone \(time)."
        }
    }

    package func remedy(for camera: String) -> String {
        switch self {
        case .noPicture: "See “tintype status \(camera)” for the reason; “tintype doctor \(camera)” finds the cause."
        case .frozen: "Unplug the camera and plug it in again; a virtual camera is fed a still picture."
        case .black: "Remove the lens cap or open the shutter, add light, and check exposure and gain."
        case .uniform: "Check the lens, the light, and the source of a grabber."
        }
    }
}

package struct AlarmStatus: Equatable, Codable, WireObject {
    package var alarm: CameraAlarm
    package var since: Timestamp?

    package init(_ alarm: CameraAlarm, since: Timestamp? = nil) { (self.alarm, self.since) = (alarm, since) }

    package static let summary = "A configured alarm of a camera."
    package static let fields: [Field] = [
        Field("alarm", \.alarm, "Its condition: no picture, or a picture that is frozen, black or of one tone."),
        Field("since", \.since, "The time at which the condition began; missing while there is no alarm."),
    ]
}
