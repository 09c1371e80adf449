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
