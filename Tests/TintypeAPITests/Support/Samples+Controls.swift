// SPDX-License-Identifier: Apache-2.0
import TintypeModel

extension Samples {
    static let control = ControlDescription(
        id: ControlNumber.autoExposure,
        title: "Auto Exposure",
        controlClass: "camera_controls",
        type: .menu,
        minimum: 0,
        maximum: 3,
        defaultValue: 3,
        menu: [
            ControlMenuItem(index: 1, name: "Manual Mode"), ControlMenuItem(index: 3, name: "Aperture Priority Mode"),
        ],
        flags: [.update],
        value: .integer(3)
    )

    static let exposure = ControlDescription(
        id: ControlNumber.exposureAbsolute,
        title: "Exposure Time, Absolute",
        controlClass: "camera_controls",
        type: .integer,
        minimum: 3,
        maximum: 2047,
        defaultValue: 250,
        flags: [.inactive],
        value: .integer(250)
    )

    static let outcome = ControlOutcome(
        name: "gain",
        asked: .text("50%"),
        value: .integer(100),
        result: .clamped,
        detail: "It goes from 0 to 100."
    )

    static let night = ControlProfile(
        name: "night",
        source: .configuration,
        controls: ControlSettings(["gain": .integer(9), "privacy": .boolean(false), "auto_exposure": .text("auto")])
    )

    static var controlStatus: ControlStatus {
        var status = ControlStatus()
        status.profile = "night"
        status.unfulfilled = [outcome]
        status.foreignChanges = 2
        status.lastForeignChange = ControlChange(
            name: "gain",
            from: .integer(1),
            to: .integer(2),
            at: Timestamp(microseconds: 5_000_000)
        )
        status.isShutterClosed = true
        return status
    }
}
