// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension PatternControls {
    /// Maximum gain the camera accepts, although its range is up to 255.
    static let largestGain: Int64 = 200

    private static let user = "user_controls"
    private static let camera = "camera_controls"

    /// All controls ordered by id, with the titles of the Linux kernel.
    static let table: [ControlDescription] = [
        number(ControlNumber.brightness, "Brightness", 0...255, default: 128),
        number(ControlNumber.brightness + 1, "Contrast", 0...100, default: 32, step: 4),
        toggle(ControlNumber.autoWhiteBalance, "White Balance, Automatic", user, flags: [.update]),
        number(ControlNumber.gain, "Gain", 0...255, default: 64),
        ControlDescription(
            id: ControlNumber.brightness + 24,
            title: "Power Line Frequency",
            controlClass: user,
            type: .menu,
            maximum: 2,
            defaultValue: 1,
            menu: [
                ControlMenuItem(index: 0, name: "Disabled"), ControlMenuItem(index: 1, name: "50 Hz"),
                ControlMenuItem(index: 2, name: "60 Hz"),
            ]
        ),
        number(
            ControlNumber.whiteBalanceTemperature,
            "White Balance Temperature",
            2800...6500,
            default: 4600,
            step: 10
        ),
        number(ControlNumber.brightness + 39, "Min Number of Capture Buffers", 1...32, default: 1, flags: [.readOnly]),
        ControlDescription(
            id: ControlNumber.autoExposure,
            title: "Auto Exposure",
            controlClass: camera,
            type: .menu,
            maximum: 3,
            defaultValue: 3,
            menu: [
                ControlMenuItem(index: 1, name: "Manual Mode"),
                ControlMenuItem(index: 3, name: "Aperture Priority Mode"),
            ],
            flags: [.update]
        ),
        number(ControlNumber.exposureAbsolute, "Exposure Time, Absolute", 3...2047, default: 250, in: camera),
        ControlDescription(
            id: ControlNumber.autoExposure + 5,
            title: "Pan, Reset",
            controlClass: camera,
            type: .button,
            flags: [.writeOnly, .executeOnWrite]
        ),
        number(ControlNumber.focusAbsolute, "Focus, Absolute", 0...250, default: 30, step: 5, in: camera),
        toggle(ControlNumber.privacy, "Privacy", camera, isOn: false),
    ]

    private static func number(
        _ id: UInt32,
        _ title: String,
        _ range: ClosedRange<Int64>,
        default standard: Int64,
        step: UInt64 = 1,
        in controlClass: String = PatternControls.user,
        flags: [ControlFlag] = []
    ) -> ControlDescription {
        ControlDescription(
            id: id,
            title: title,
            controlClass: controlClass,
            type: .integer,
            minimum: range.lowerBound,
            maximum: range.upperBound,
            step: step,
            defaultValue: standard,
            flags: flags
        )
    }

    private static func toggle(
        _ id: UInt32,
        _ title: String,
        _ controlClass: String,
        isOn: Bool = true,
        flags: [ControlFlag] = []
    ) -> ControlDescription {
        ControlDescription(
            id: id,
            title: title,
            controlClass: controlClass,
            type: .boolean,
            maximum: 1,
            defaultValue: isOn ? 1 : 0,
            flags: flags
        )
    }
}
