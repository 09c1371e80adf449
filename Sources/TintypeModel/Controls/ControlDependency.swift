// SPDX-License-Identifier: Apache-2.0

/// Which controls are of no effect while an automatic is on ("auto clusters" of the kernel's control framework).
package enum ControlDependency {
    /// The switch of an automatic, the name that Linux gives it, and the values that it takes over.
    private struct Cluster {
        let switchID: UInt32
        let name: String
        let values: Set<UInt32>
    }

    private static let clusters = [
        Cluster(
            switchID: ControlNumber.autoExposure,
            name: "auto_exposure",
            values: [
                ControlNumber.exposureAbsolute, ControlNumber.exposure, ControlNumber.irisAbsolute,
                ControlNumber.irisRelative,
            ]
        ),
        Cluster(
            switchID: ControlNumber.autoWhiteBalance,
            name: "white_balance_automatic",
            values: [
                ControlNumber.whiteBalanceTemperature, ControlNumber.redBalance, ControlNumber.blueBalance,
            ]
        ),
        Cluster(
            switchID: ControlNumber.whiteBalancePreset,
            name: "white_balance_auto_preset",
            values: [
                ControlNumber.whiteBalanceTemperature, ControlNumber.redBalance, ControlNumber.blueBalance,
            ]
        ),
        Cluster(switchID: ControlNumber.autoGain, name: "gain_automatic", values: [ControlNumber.gain]),
        Cluster(switchID: ControlNumber.autoHue, name: "hue_automatic", values: [ControlNumber.hue]),
        Cluster(
            switchID: ControlNumber.autoFocus,
            name: "focus_automatic_continuous",
            values: [ControlNumber.focusAbsolute, ControlNumber.focusRelative]
        ),
        Cluster(
            switchID: ControlNumber.autoBrightness,
            name: "brightness_automatic",
            values: [ControlNumber.brightness]
        ),
        Cluster(switchID: ControlNumber.autoChromaGain, name: "chroma_agc", values: [ControlNumber.chromaGain]),
        Cluster(
            switchID: ControlNumber.autoISOSensitivity,
            name: "iso_sensitivity_auto",
            values: [ControlNumber.isoSensitivity]
        ),
        Cluster(
            switchID: ControlNumber.colorEffects,
            name: "color_effects",
            values: [ControlNumber.colorEffectsCbCr]
        ),
    ]

    /// Whether the control `id` switches an automatic.
    package static func isSwitch(_ id: UInt32) -> Bool { clusters.contains { $0.switchID == id } }

    /// The names that Linux gives to the switches whose `auto` takes over the control `id`.
    static func automatics(of id: UInt32) -> [String] {
        clusters.filter { $0.values.contains(id) && $0.switchID != ControlNumber.colorEffects }.map(\.name)
    }

    /// The switches of the automatics that take over the control `id`.
    package static func switches(of id: UInt32) -> [UInt32] {
        clusters.filter { $0.values.contains(id) }.map(\.switchID)
    }
}
