// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

extension DeviceControls {
    /// Sets controls, by any accepted name, and reads them back; returns the outcomes, sorted by name.
    ///
    /// `onlyWhereDifferent` skips controls that already have the value. Throws if the device is gone or cannot list
    /// controls.
    package func apply(
        _ settings: ControlSettings,
        onlyWhereDifferent: Bool = false
    ) throws(DeviceError) -> [ControlOutcome] {
        guard !settings.isEmpty else { return [] }
        let controls = try named()
        var application = ControlApplication(device: self, onlyWhereDifferent: onlyWhereDifferent)
        for (name, wish) in settings.values.sorted(by: { $0.key < $1.key }) {
            application.addRequest(name, wish, among: controls)
        }
        for stage in ControlOrder.stages(application.pending, of: \.control) {
            for batch in ControlOrder.batches(try application.settings(of: stage)) { try application.write(batch) }
        }
        try application.readBack()
        return application.outcomes.values.sorted { $0.name < $1.name }.map { outcome in
            var outcome = outcome
            outcome.valueName = outcome.value.flatMap { controls.control(named: outcome.name)?.menuName(of: $0) }
            return outcome
        }
    }

    /// Resets every persistent settable control to its default, except the privacy shutter.
    ///
    /// `keepingView`: except those that move the picture, too. Returns the outcomes of the controls that were not at
    /// their default, sorted by name. Throws like ``apply(_:onlyWhereDifferent:)``.
    package func restoreDefaults(keepingView: Bool = false) throws(DeviceError) -> [ControlOutcome] {
        var outcomes: [String: ControlOutcome] = [:]
        // Values before the switches of their automatics, which may make them inactive; the inactive ones last.
        for isSwitch in [false, true, false] {
            var settings = ControlSettings()
            let settable = try all().filter { $0.isSettable && $0.id != ControlNumber.privacy }
                .filter { !keepingView || !ControlNumber.movesPicture($0) }
            for control in settable where ControlNumber.isSwitch(control.id) == isSwitch {
                guard let standard = control.standard, control.value != standard else { continue }
                settings.values[control.name] = standard
            }
            for var outcome in try apply(settings) {
                outcome.asked = nil
                outcomes[outcome.name] = outcome
            }
        }
        return outcomes.values.sorted { $0.name < $1.name }
    }
}

private struct ControlApplication {
    typealias Pending = (wish: ControlValue, control: ControlDescription)

    let device: DeviceControls
    let onlyWhereDifferent: Bool
    private(set) var pending: [Pending] = []
    /// `accepted` is the value returned by the driver when it was set.
    private var written: [(setting: ControlSetting, accepted: ControlValue)] = []
    /// Keyed by control name, or by the requested name if it matches no control.
    private(set) var outcomes: [String: ControlOutcome] = [:]
    private var wishes: [String: ControlValue] = [:]
    private var clamped: Set<String> = []

    init(device: DeviceControls, onlyWhereDifferent: Bool) {
        (self.device, self.onlyWhereDifferent) = (device, onlyWhereDifferent)
    }

    /// Adds a request, or its outcome if it can never be set.
    mutating func addRequest(_ name: String, _ wish: ControlValue, among controls: [ControlDescription]) {
        guard let control = controls.control(named: name) else {
            let nearest = Spelling.nearest(to: name, among: controls.map(\.name))
            let remedy = nearest.map { "did you mean \($0)?" } ?? "“tintype controls” lists those that it has."
            let detail = "The camera has no control of this name; \(remedy)"
            outcomes[name] = ControlOutcome(name: name, asked: wish, result: .unknown, detail: detail)
            return
        }
        guard wishes[control.name] == nil else {
            let detail = "It is the control \(control.name), which is asked for already."
            outcomes[name] = ControlOutcome(name: name, asked: wish, result: .refused, detail: detail)
            return
        }
        wishes[control.name] = wish
        if control.has(.disabled) {
            finish(control.name, nil, .refused, "The driver has switched this control off.")
        } else if control.has(.readOnly) {
            finish(control.name, nil, .readOnly, "This control can only be read.")
        } else {
            pending.append((wish, control))
        }
    }

    /// Settings to write for a stage of requests, resolved against the current state of their controls.
    mutating func settings(of stage: [Pending]) throws(DeviceError) -> [ControlSetting] {
        var settings: [ControlSetting] = []
        for pending in stage {
            // Earlier stages may have changed ranges and flags.
            let control = try device.refreshed(pending.control)
            guard let setting = setting(for: pending, control) else { continue }
            if onlyWhereDifferent, try device.value(of: control) == setting.value {
                finish(control.name, setting.value, .applied)
            } else {
                settings.append(setting)
            }
        }
        return settings
    }

    /// Nil if the outcome is recorded instead.
    private mutating func setting(for pending: Pending, _ control: ControlDescription) -> ControlSetting? {
        let resolution: ControlResolution
        do throws(ControlRefusal) {
            resolution = try control.resolve(pending.wish)
        } catch {
            finish(control.name, nil, .refused, error.reason)
            return nil
        }
        guard !control.has(.inactive) else {
            let detail =
                ControlNumber.switches(of: control.id).isEmpty
                ? "It has no effect as the camera is set now."
                : "It has no effect while its automatic is on: switch that off in the same request."
            finish(control.name, nil, .inactive, detail)
            return nil
        }
        if resolution.isClamped { clamped.insert(control.name) }
        return ControlSetting(control: control, value: resolution.value)
    }

    mutating func write(_ batch: [ControlSetting]) throws(DeviceError) {
        do throws(ControlFailure) {
            let accepted = try device.driver.write(batch)
            for (setting, value) in zip(batch, accepted) { written.append((setting, value)) }
        } catch {
            try device.driver.throwIfGone(error)
            guard batch.count == 1, let only = batch.first else {
                // Retry one by one, so that only the rejected control fails.
                for setting in batch { try write([setting]) }
                return
            }
            let present = try device.value(of: only.control)
            if let present, present == only.value {
                // Already at this value: some drivers reject even that while streaming.
                finish(only.control.name, present, .applied)
                return
            }
            let path = device.driver.path
            let sentence = DeviceError.system(operation: error.call.name, path: path, errno: error.code).description
            finish(only.control.name, present, .refused, "\(sentence) \(Self.remedy(error.code))")
        }
    }

    private static func remedy(_ code: CInt) -> String {
        switch code {
        case EBUSY: "Another program or the stream holds this control: let go of that first."
        case EACCES, EPERM: "It cannot be set as the camera is set now."
        case EINVAL, ERANGE: "The driver takes no such value."
        default: "Try again; if it lasts, unplug the camera and plug it in again."
        }
    }

    /// Reads back all that was written.
    mutating func readBack() throws(DeviceError) {
        for (setting, accepted) in written {
            let (control, wanted) = (setting.control, setting.value)
            if control.type == .button || control.has(.writeOnly) {
                finish(control.name, nil, .applied)
            } else if let value = try device.value(of: control) {
                if value == wanted || control.has(.volatile) {
                    finishInRange(control, value)
                } else if value == accepted {
                    finish(control.name, value, .clamped, "The driver made \(value) of \(wanted).")
                } else {
                    let detail = "The driver took \(wanted), and read back it is \(value)."
                    finish(control.name, value, .differs, detail)
                }
            } else {
                finish(control.name, nil, .differs, "The driver took it, and it could not be read back.")
            }
        }
    }

    private mutating func finish(
        _ name: String,
        _ value: ControlValue?,
        _ result: ControlOutcome.Result,
        _ detail: String? = nil
    ) {
        outcomes[name] = ControlOutcome(name: name, asked: wishes[name], value: value, result: result, detail: detail)
    }

    /// Records that a control has the value that was set: the requested one, or the nearest in range.
    private mutating func finishInRange(_ control: ControlDescription, _ value: ControlValue) {
        guard clamped.contains(control.name) else { return finish(control.name, value, .applied) }
        let steps = control.step > 1 ? " in steps of \(control.step)" : ""
        let detail = "It goes from \(control.minimum) to \(control.maximum)\(steps)."
        finish(control.name, value, .clamped, detail)
    }
}

enum ControlOrder {
    /// Groups controls into stages to set one after the other, by dependency.
    ///
    /// First switches of automatics, as a manual value has no effect while its automatic is on; then controls that
    /// change others (`V4L2_CTRL_FLAG_UPDATE`, `V4L2_CTRL_FLAG_MODIFY_LAYOUT`); then all others; then values controlled
    /// by an automatic; last buttons, which act on the values set. The order within a stage is preserved.
    static func stages<Item>(_ items: [Item], of control: (Item) -> ControlDescription) -> [[Item]] {
        let ranked = Dictionary(grouping: items) { rank(control($0)) }
        return ranked.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func rank(_ control: ControlDescription) -> Int {
        if control.type == .button { return 4 }
        if ControlNumber.isSwitch(control.id) { return 0 }
        if !ControlNumber.switches(of: control.id).isEmpty { return 3 }
        return control.has(.update) || control.has(.modifyLayout) ? 1 : 2
    }

    /// Splits a stage into driver calls: one for each class; text and buttons separately.
    static func batches(_ settings: [ControlSetting]) -> [[ControlSetting]] {
        var batches: [[ControlSetting]] = []
        var places: [UInt32: Int] = [:]
        for setting in settings {
            guard setting.control.type != .string, setting.control.type != .button else {
                batches.append([setting])
                continue
            }
            let controlClass = setting.control.id & classMask
            if let place = places[controlClass] {
                batches[place].append(setting)
            } else {
                places[controlClass] = batches.count
                batches.append([setting])
            }
        }
        return batches
    }

    /// Class bits of a control id (`V4L2_CTRL_ID2WHICH`).
    static let classMask: UInt32 = 0x0FFF_0000
}
