// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// How far the setting of several controls has come.
struct ControlApplication {
    struct Pending {
        let name: String
        let wish: ControlValue
        let control: ControlDescription
    }

    struct Written {
        let setting: ControlSetting
        /// What the driver said that it made of it.
        let accepted: ControlValue
    }

    let onlyWhereDifferent: Bool
    private(set) var pending: [Pending] = []
    var written: [Written] = []
    /// By the name of the control, or what was given for one.
    private(set) var outcomes: [String: ControlOutcome] = [:]
    private var wishes: [String: ControlValue] = [:]
    private var clamped: Set<String> = []

    init(onlyWhereDifferent: Bool) { self.onlyWhereDifferent = onlyWhereDifferent }

    /// Takes a wish; what cannot be set whatever the device's state is has its outcome at once.
    mutating func take(_ name: String, _ wish: ControlValue, among controls: [ControlDescription]) {
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
            pending.append(Pending(name: control.name, wish: wish, control: control))
        }
    }

    /// What is to be set for a wish, with the control as it is now; nil if nothing is, which is an outcome.
    mutating func setting(for pending: Pending, _ control: ControlDescription) -> ControlSetting? {
        let resolution: ControlResolution
        do throws(ControlRefusal) {
            resolution = try control.resolve(pending.wish)
        } catch {
            finish(control.name, nil, .refused, error.reason)
            return nil
        }
        guard !control.has(.inactive) else {
            finish(control.name, nil, .inactive, Self.inactivity(of: control))
            return nil
        }
        if resolution.isClamped { clamped.insert(control.name) }
        return ControlSetting(control: control, value: resolution.value)
    }

    /// Records what became of the wish for a control.
    mutating func finish(
        _ name: String,
        _ value: ControlValue?,
        _ result: ControlOutcome.Result,
        _ detail: String? = nil
    ) {
        outcomes[name] = ControlOutcome(name: name, asked: wishes[name], value: value, result: result, detail: detail)
    }

    /// Records that a control has the value that was set: the one asked for, or the nearest that it can have.
    mutating func finishInRange(_ control: ControlDescription, _ value: ControlValue) {
        guard clamped.contains(control.name) else { return finish(control.name, value, .applied) }
        let steps = control.step > 1 ? " in steps of \(control.step)" : ""
        let detail = "It goes from \(control.minimum) to \(control.maximum)\(steps)."
        finish(control.name, value, .clamped, detail)
    }

    private static func inactivity(of control: ControlDescription) -> String {
        ControlNumber.switches(of: control.id).isEmpty
            ? "It has no effect as the camera is set now."
            : "It has no effect while its automatic is on: switch that off in the same request."
    }
}
