// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

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
