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
