// SPDX-License-Identifier: Apache-2.0

package enum ControlName {
    /// Name that v4l2-ctl(1) prints for a title: lowercase letters, digits, and one `_` for every run of others.
    package static func key(of title: String) -> String {
        title.lowercased()
            .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .joined(separator: "_")
    }

    /// Names of the user and camera class in Linux 6.12, including older ones (`v4l2_ctrl_get_name` in
    /// drivers/media/v4l2-core/v4l2-ctrls-defs.c); drivers define more.
    package static let known: [String] =
        [
            "brightness", "contrast", "saturation", "hue", "white_balance_automatic", "red_balance", "blue_balance",
            "gamma", "exposure", "gain_automatic", "gain", "horizontal_flip", "vertical_flip", "power_line_frequency",
            "hue_automatic", "white_balance_temperature", "sharpness", "backlight_compensation", "chroma_agc",
            "chroma_gain", "color_killer", "color_effects", "color_effects_cbcr", "brightness_automatic",
            "band_stop_filter", "rotate", "background_color", "illuminator_1", "illuminator_2", "alpha_component",
            "min_number_of_capture_buffers",
            "auto_exposure", "exposure_time_absolute", "exposure_dynamic_framerate", "auto_exposure_bias",
            "exposure_metering_mode", "pan_relative", "tilt_relative", "pan_reset", "tilt_reset", "pan_absolute",
            "tilt_absolute", "pan_speed", "tilt_speed", "focus_absolute", "focus_relative",
            "focus_automatic_continuous", "zoom_absolute", "zoom_relative", "zoom_continuous", "privacy",
            "iris_absolute", "iris_relative", "white_balance_auto_preset", "wide_dynamic_range",
            "image_stabilization", "iso_sensitivity", "iso_sensitivity_auto", "scene_mode", "3a_lock",
            "auto_focus_start", "auto_focus_stop", "auto_focus_status", "auto_focus_range", "camera_orientation",
            "camera_sensor_rotation", "led_1_mode", "led_1_frequency", "exposure_auto", "exposure_absolute",
            "exposure_auto_priority", "white_balance_temperature_auto", "focus_auto",
        ]
}

extension [ControlDescription] {
    /// Finds a control by its name in any case, with `-` or spaces for `_`; else by its name in another version of
    /// Linux; else by its number, as in `0x00980900`.
    package func control(named name: String) -> ControlDescription? {
        let key = ControlName.key(of: name)
        if let control = first(where: { $0.name == key }) { return control }
        if let id = ControlNumber.olderNames[key], let control = first(where: { $0.id == id }) { return control }
        let digits = name.lowercased()
        let number = digits.hasPrefix("0x") ? UInt32(digits.dropFirst(2), radix: 16) : UInt32(digits)
        return number.flatMap { number in first { $0.id == number } }
    }

    /// The same controls with unique names: a repeated or empty name gets the control's number in hexadecimal appended.
    package var withUniqueNames: [ControlDescription] {
        var taken: Set<String> = []
        return map { control in
            var control = control
            if control.name.isEmpty || !taken.insert(control.name).inserted {
                let digits = String(control.id, radix: 16)
                control.name += (control.name.isEmpty ? "control_" : "_") + digits
                taken.insert(control.name)
            }
            return control
        }
    }
}

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
    package static let autoHue = user + 25  // `V4L2_CID_HUE_AUTO`
    package static let whiteBalanceTemperature = user + 26
    package static let autoChromaGain = user + 29  // `V4L2_CID_CHROMA_AGC`
    package static let colorEffects = user + 31  // `V4L2_CID_COLORFX`
    package static let autoBrightness = user + 32
    package static let chromaGain = user + 36
    package static let colorEffectsCbCr = user + 42  // `V4L2_CID_COLORFX_CBCR`
    package static let autoExposure = camera + 1  // `V4L2_CID_EXPOSURE_AUTO`
    package static let exposureAbsolute = camera + 2  // `V4L2_CID_EXPOSURE_ABSOLUTE`: exposure time in units of 100 µs
    package static let exposureAutoPriority = camera + 3
    package static let focusAbsolute = camera + 10
    package static let focusRelative = camera + 11
    package static let autoFocus = camera + 12  // `V4L2_CID_FOCUS_AUTO`
    package static let privacy = camera + 16  // `V4L2_CID_PRIVACY`: while it is on, no picture can be taken
    package static let irisAbsolute = camera + 17
    package static let irisRelative = camera + 18
    package static let whiteBalancePreset = camera + 20  // `V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE`
    package static let isoSensitivity = camera + 23
    package static let autoISOSensitivity = camera + 24  // `V4L2_CID_ISO_SENSITIVITY_AUTO`

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

    static func automatics(of id: UInt32) -> [String] {
        clusters.filter { $0.values.contains(id) && $0.switchID != colorEffects }.map(\.name)
    }

    package static func switches(of id: UInt32) -> [UInt32] {
        clusters.filter { $0.values.contains(id) }.map(\.switchID)
    }
}

/// Exposure and focus values read from a camera; nil if the camera does not report a value.
package struct CameraReading: Hashable, Sendable {
    /// Exposure time (`V4L2_CID_EXPOSURE_ABSOLUTE`).
    package var time: Duration?
    /// ISO number (`V4L2_CID_ISO_SENSITIVITY`).
    package var isoSensitivity: Int?
    /// Gain in driver units (`V4L2_CID_GAIN`).
    package var gain: Int64?
    /// Focus position in driver units (`V4L2_CID_FOCUS_ABSOLUTE`).
    package var focus: Int64?
    package var readAt: MonotonicTime
}

extension CameraReading {
    package static let controls = [
        ControlNumber.exposureAbsolute, ControlNumber.isoSensitivity, ControlNumber.gain, ControlNumber.focusAbsolute,
    ]

    /// Exposure time from control values, which are in units of 100 µs; nil if missing or not positive.
    package static func exposureTime(in values: [UInt32: Int64]) -> Duration? {
        values[ControlNumber.exposureAbsolute].flatMap { $0 > 0 ? .microseconds($0 * 100) : nil }
    }

    package init(_ values: [UInt32: Int64], readAt: MonotonicTime) {
        self.init(
            time: Self.exposureTime(in: values),
            // V4L2 unit: thousandths of an ISO number.
            isoSensitivity: values[ControlNumber.isoSensitivity].map { Int($0) / 1000 },
            gain: values[ControlNumber.gain],
            focus: values[ControlNumber.focusAbsolute],
            readAt: readAt
        )
    }
}

/// Exposure-related control values of a device, as far as it reports them.
package struct ExposureState: Hashable, Sendable {
    /// Keyed by control ID.
    package var values: [UInt32: Int64]

    package static let controls = [
        ControlNumber.autoExposure, ControlNumber.exposureAbsolute, ControlNumber.exposure, ControlNumber.autoGain,
        ControlNumber.gain, ControlNumber.autoWhiteBalance, ControlNumber.whiteBalanceTemperature,
    ]

    package init(values: [UInt32: Int64] = [:]) { self.values = values }

    /// True if exposure (`V4L2_EXPOSURE_MANUAL`), gain and white balance are all manual.
    package var isManual: Bool {
        values[ControlNumber.autoExposure] == 1 && values[ControlNumber.autoGain] ?? 0 == 0
            && values[ControlNumber.autoWhiteBalance] ?? 0 == 0
    }
}
