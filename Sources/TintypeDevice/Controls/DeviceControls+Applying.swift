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
        var application = ControlApplication(onlyWhereDifferent: onlyWhereDifferent)
        for (name, wish) in settings.values.sorted(by: { $0.key < $1.key }) {
            application.addRequest(name, wish, among: controls)
        }
        for stage in ControlOrder.stages(application.pending, of: \.control) {
            let settings = try prepare(stage, &application)
            for batch in ControlOrder.batches(settings) { try write(batch, &application) }
        }
        for written in application.written { try readBack(written, &application) }
        return application.outcomes.values.sorted { $0.name < $1.name }.map { outcome in
            var outcome = outcome
            outcome.valueName = outcome.value.flatMap { controls.control(named: outcome.name)?.menuName(of: $0) }
            return outcome
        }
    }

    private func prepare(
        _ stage: [ControlApplication.Pending],
        _ application: inout ControlApplication
    ) throws(DeviceError) -> [ControlSetting] {
        var settings: [ControlSetting] = []
        for pending in stage {
            // Earlier stages may have changed ranges and flags.
            let control = try refreshed(pending.control)
            guard let setting = application.setting(for: pending, control) else { continue }
            if application.onlyWhereDifferent, try value(of: control) == setting.value {
                application.finish(control.name, setting.value, .applied)
            } else {
                settings.append(setting)
            }
        }
        return settings
    }

    private func write(_ batch: [ControlSetting], _ application: inout ControlApplication) throws(DeviceError) {
        do throws(ControlFailure) {
            let accepted = try driver.write(batch)
            for (setting, value) in zip(batch, accepted) { application.written.append((setting, value)) }
        } catch {
            try driver.throwIfGone(error)
            guard batch.count == 1, let only = batch.first else {
                // Retry one by one, so that only the rejected control fails.
                for setting in batch { try write([setting], &application) }
                return
            }
            let present = try value(of: only.control)
            if let present, present == only.value {
                // Already at this value: some drivers reject even that while streaming.
                application.finish(only.control.name, present, .applied)
                return
            }
            let sentence = DeviceError.system(operation: error.call.name, path: driver.path, errno: error.code)
            let detail = "\(sentence.description) \(Self.remedy(error.code))"
            application.finish(only.control.name, present, .refused, detail)
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

    private func readBack(
        _ written: ControlApplication.Written,
        _ application: inout ControlApplication
    ) throws(DeviceError) {
        let (control, wanted) = (written.setting.control, written.setting.value)
        guard control.type != .button, !control.has(.writeOnly) else {
            application.finish(control.name, nil, .applied)
            return
        }
        guard let value = try value(of: control) else {
            let detail = "The driver took it, and it could not be read back."
            application.finish(control.name, nil, .differs, detail)
            return
        }
        if value == wanted || control.has(.volatile) {
            application.finishInRange(control, value)
        } else if value == written.accepted {
            application.finish(control.name, value, .clamped, "The driver made \(value) of \(wanted).")
        } else {
            let detail = "The driver took \(wanted), and read back it is \(value)."
            application.finish(control.name, value, .differs, detail)
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

struct ControlApplication {
    typealias Pending = (wish: ControlValue, control: ControlDescription)
    /// `accepted` is the value returned by the driver when it was set.
    typealias Written = (setting: ControlSetting, accepted: ControlValue)

    let onlyWhereDifferent: Bool
    private(set) var pending: [Pending] = []
    var written: [Written] = []
    /// Keyed by control name, or by the requested name if it matches no control.
    private(set) var outcomes: [String: ControlOutcome] = [:]
    private var wishes: [String: ControlValue] = [:]
    private var clamped: Set<String> = []

    init(onlyWhereDifferent: Bool) { self.onlyWhereDifferent = onlyWhereDifferent }

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

    /// Resolves a request against the control's current state; nil if its outcome is recorded instead.
    mutating func setting(for pending: Pending, _ control: ControlDescription) -> ControlSetting? {
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

    mutating func finish(
        _ name: String,
        _ value: ControlValue?,
        _ result: ControlOutcome.Result,
        _ detail: String? = nil
    ) {
        outcomes[name] = ControlOutcome(name: name, asked: wishes[name], value: value, result: result, detail: detail)
    }

    /// Records that a control has the value that was set: the requested one, or the nearest in range.
    mutating func finishInRange(_ control: ControlDescription, _ value: ControlValue) {
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
