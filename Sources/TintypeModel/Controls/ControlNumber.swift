// SPDX-License-Identifier: Apache-2.0

/// IDs of the controls that tintype treats specially, named as in linux/v4l2-controls.h unless noted.
package enum ControlNumber {
    private static let user: UInt32 = 0x0098_0900
    private static let camera: UInt32 = 0x009A_0900

    package static let brightness = user
    package static let hue = user + 3
    package static let autoWhiteBalance = user + 12
    package static let redBalance = user + 14
    package static let blueBalance = user + 15
    package static let exposure = user + 17
    package static let autoGain = user + 18
    package static let gain = user + 19
    /// `V4L2_CID_HUE_AUTO`.
    package static let autoHue = user + 25
    package static let whiteBalanceTemperature = user + 26
    /// `V4L2_CID_CHROMA_AGC`.
    package static let autoChromaGain = user + 29
    /// `V4L2_CID_COLORFX`.
    package static let colorEffects = user + 31
    package static let autoBrightness = user + 32
    package static let chromaGain = user + 36
    /// `V4L2_CID_COLORFX_CBCR`.
    package static let colorEffectsCbCr = user + 42
    /// `V4L2_CID_EXPOSURE_AUTO`.
    package static let autoExposure = camera + 1
    /// `V4L2_CID_EXPOSURE_ABSOLUTE`: exposure time in units of 100 µs.
    package static let exposureAbsolute = camera + 2
    package static let exposureAutoPriority = camera + 3
    package static let focusAbsolute = camera + 10
    package static let focusRelative = camera + 11
    /// `V4L2_CID_FOCUS_AUTO`.
    package static let autoFocus = camera + 12
    /// `V4L2_CID_PRIVACY`: while it is on, no picture can be taken.
    package static let privacy = camera + 16
    package static let irisAbsolute = camera + 17
    package static let irisRelative = camera + 18
    /// `V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE`.
    package static let whiteBalancePreset = camera + 20
    package static let isoSensitivity = camera + 23
    /// `V4L2_CID_ISO_SENSITIVITY_AUTO`.
    package static let autoISOSensitivity = camera + 24

    /// `V4L2_CID_HFLIP`, `VFLIP`, `ROTATE`, `IMAGE_STABILIZATION` and all of pan, tilt and zoom.
    private static let moving: Set<UInt32> = [
        user + 20, user + 21, user + 34, camera + 4, camera + 5, camera + 6, camera + 7, camera + 8, camera + 9,
        camera + 13, camera + 14, camera + 15, camera + 22, camera + 32, camera + 33,
    ]

    /// True for a control that changes where the scene is in the picture; drivers' own are known by their names.
    package static func movesPicture(_ control: ControlDescription) -> Bool {
        let words = ["pan_", "tilt", "zoom", "flip", "mirror", "rotat", "stabili"]
        return moving.contains(control.id) || words.contains { "\(control.name)_".contains($0) }
    }

    /// Names used by uvcvideo before it adopted those of the kernel's control framework, and the latter.
    static let olderNames: [String: UInt32] = [
        "exposure_auto": autoExposure, "exposure_absolute": exposureAbsolute,
        "exposure_auto_priority": exposureAutoPriority, "white_balance_temperature_auto": autoWhiteBalance,
        "focus_auto": autoFocus, "auto_exposure": autoExposure, "exposure_time_absolute": exposureAbsolute,
        "exposure_dynamic_framerate": exposureAutoPriority, "white_balance_automatic": autoWhiteBalance,
        "focus_automatic_continuous": autoFocus,
    ]

    /// Automatic controls, their names in Linux, and the controls that are inactive while they are on ("auto clusters"
    /// of the kernel's control framework).
    private static let clusters: [(switchID: UInt32, name: String, values: Set<UInt32>)] = [
        (autoExposure, "auto_exposure", [exposureAbsolute, exposure, irisAbsolute, irisRelative]),
        (autoWhiteBalance, "white_balance_automatic", [whiteBalanceTemperature, redBalance, blueBalance]),
        (whiteBalancePreset, "white_balance_auto_preset", [whiteBalanceTemperature, redBalance, blueBalance]),
        (autoGain, "gain_automatic", [gain]),
        (autoHue, "hue_automatic", [hue]),
        (autoFocus, "focus_automatic_continuous", [focusAbsolute, focusRelative]),
        (autoBrightness, "brightness_automatic", [brightness]),
        (autoChromaGain, "chroma_agc", [chromaGain]),
        (autoISOSensitivity, "iso_sensitivity_auto", [isoSensitivity]),
        (colorEffects, "color_effects", [colorEffectsCbCr]),
    ]

    package static func isSwitch(_ id: UInt32) -> Bool { clusters.contains { $0.switchID == id } }

    /// Linux names of the controls whose `auto` overrides the control `id`.
    static func automatics(of id: UInt32) -> [String] {
        clusters.filter { $0.values.contains(id) && $0.switchID != colorEffects }.map(\.name)
    }

    /// IDs of the automatic controls that override the control `id`.
    package static func switches(of id: UInt32) -> [UInt32] {
        clusters.filter { $0.values.contains(id) }.map(\.switchID)
    }
}
