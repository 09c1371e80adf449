// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// In-memory controls like those of a webcam, with the kernel's rules; device thread only.
final class PatternControls: ControlDriver {
    let path: String
    private let faults: PatternSpec.ControlFaults
    private var values: [UInt32: ControlValue]
    private var watched: Set<UInt32> = []

    init(path: String, faults: PatternSpec.ControlFaults) {
        self.path = path
        self.faults = faults
        values = Self.defaults
        if faults.isShutterClosed { values[ControlNumber.privacy] = .boolean(true) }
    }

    private static var defaults: [UInt32: ControlValue] { table.reduce(into: [:]) { $0[$1.id] = $1.standard } }

    var look: PatternLook {
        guard values[ControlNumber.privacy] != .boolean(true) else { return PatternLook(isDark: true) }
        guard case .integer(let brightness) = values[ControlNumber.brightness] else { return PatternLook() }
        return PatternLook(brightness: Int(brightness))
    }

    /// Some cameras do that when a stream starts.
    func resetToDefaults() { values = Self.defaults }

    /// Simulates a change by another program; nil if the control is not subscribed to.
    func simulateChange(of id: UInt32, to value: ControlValue) -> DeviceEvent? {
        values[id] = value
        guard watched.contains(id) else { return nil }
        return .controlChanged(id: id, value: value.number, isRedefined: false)
    }

    func isWatched(_ id: UInt32) -> Bool { watched.contains(id) }

    func list() throws(DeviceError) -> [ControlDescription] { Self.table.map(current) }

    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription {
        guard let control = Self.table.first(where: { $0.id == known.id }) else {
            throw ControlFailure(.queryControl, code: EINVAL)
        }
        return current(control)
    }

    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue {
        guard !control.has(.writeOnly) else { throw ControlFailure(.readControl, code: EACCES) }
        guard let value = values[control.id] else { throw ControlFailure(.readControl, code: EINVAL) }
        return value
    }

    /// Like `VIDIOC_S_EXT_CTRLS`: sets nothing if one control is rejected.
    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue] {
        for setting in settings {
            if faults.gone == setting.control.name { throw ControlFailure(.writeControl, code: ENODEV) }
            if faults.busy == setting.control.name { throw ControlFailure(.writeControl, code: EBUSY) }
            if faults.broken == setting.control.name { throw ControlFailure(.writeControl, code: EIO) }
            if current(setting.control).has(.readOnly) { throw ControlFailure(.writeControl, code: EACCES) }
        }
        return settings.map { setting in
            if setting.control.type == .button || faults.ignored == setting.control.name { return setting.value }
            var value = setting.value
            if setting.control.id == ControlNumber.gain, case .integer(let gain) = value {
                value = .integer(min(gain, Self.largestGain))
            }
            values[setting.control.id] = value
            return value
        }
    }

    func watch(_ id: UInt32) { watched.insert(id) }

    private func current(_ control: ControlDescription) -> ControlDescription {
        var control = control
        let isAutomatic =
            switch control.id {
            case ControlNumber.exposureAbsolute: values[ControlNumber.autoExposure] != .integer(1)
            case ControlNumber.whiteBalanceTemperature: values[ControlNumber.autoWhiteBalance] == .boolean(true)
            default: false
            }
        if isAutomatic { control.flags.append(.inactive) }
        return control
    }

    /// The camera accepts no more, although its range is up to 255.
    static let largestGain: Int64 = 200

    private static let frequencies: [(index: Int64, name: String)] = [(0, "Disabled"), (1, "50 Hz"), (2, "60 Hz")]
    private static let modes: [(index: Int64, name: String)] = [(1, "Manual Mode"), (3, "Aperture Priority Mode")]
    private static let updates: [ControlFlag] = [.update]
    private static let resetFlags: [ControlFlag] = [.writeOnly, .executeOnWrite]

    /// All controls ordered by id, with the titles of the Linux kernel.
    static let table: [ControlDescription] = [
        entry(ControlNumber.brightness, "Brightness", 0...255, default: 128),
        entry(ControlNumber.brightness + 1, "Contrast", 0...100, default: 32, step: 4),
        entry(ControlNumber.autoWhiteBalance, "White Balance, Automatic", 0...1, .boolean, default: 1, flags: updates),
        entry(ControlNumber.gain, "Gain", 0...255, default: 64),
        entry(ControlNumber.brightness + 24, "Power Line Frequency", 0...2, .menu, default: 1, menu: frequencies),
        entry(ControlNumber.whiteBalanceTemperature, "White Balance Temperature", 2800...6500, default: 4600, step: 10),
        entry(ControlNumber.brightness + 39, "Min Number of Capture Buffers", 1...32, default: 1, flags: [.readOnly]),
        entry(ControlNumber.autoExposure, "Auto Exposure", 0...3, .menu, default: 3, menu: modes, flags: updates),
        entry(ControlNumber.exposureAbsolute, "Exposure Time, Absolute", 3...2047, default: 250),
        entry(ControlNumber.autoExposure + 5, "Pan, Reset", 0...0, .button, flags: resetFlags),
        entry(ControlNumber.focusAbsolute, "Focus, Absolute", 0...250, default: 30, step: 5),
        entry(ControlNumber.privacy, "Privacy", 0...1, .boolean),
    ]

    /// The ids of the camera class follow those of the user class.
    private static func entry(
        _ id: UInt32,
        _ title: String,
        _ range: ClosedRange<Int64>,
        _ type: ControlType = .integer,
        default standard: Int64 = 0,
        step: UInt64 = 1,
        menu: [(index: Int64, name: String)] = [],
        flags: [ControlFlag] = []
    ) -> ControlDescription {
        ControlDescription(
            id: id,
            title: title,
            controlClass: id < ControlNumber.autoExposure ? "user_controls" : "camera_controls",
            type: type,
            minimum: range.lowerBound,
            maximum: range.upperBound,
            step: step,
            defaultValue: standard,
            menu: menu.map { ControlMenuItem(index: $0.index, name: $0.name) },
            flags: flags
        )
    }
}
