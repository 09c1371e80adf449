// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension DeviceControls {
    /// Gives every control that lasts and can be set its default; the privacy shutter stays as it is.
    ///
    /// - Returns: what became of each that was not at its default, by name.
    /// - Throws: that the device is gone, or that it cannot list its controls.
    package func restoreDefaults() throws(DeviceError) -> [ControlOutcome] {
        // Values before the switches of their automatics, and once more behind them for those that were out of reach.
        let values = try restore { !ControlNumber.isSwitch($0.id) }
        let switches = try restore { ControlNumber.isSwitch($0.id) }
        let others = try restore { !ControlNumber.isSwitch($0.id) }
        var outcomes: [String: ControlOutcome] = [:]
        for outcome in values + switches + others { outcomes[outcome.name] = outcome }
        return outcomes.values.sorted { $0.name < $1.name }
    }

    private func restore(_ isIncluded: (ControlDescription) -> Bool) throws(DeviceError) -> [ControlOutcome] {
        var settings = ControlSettings()
        for control in try all() where control.isSettable && control.id != ControlNumber.privacy {
            guard let standard = control.standard, control.value != standard, isIncluded(control) else { continue }
            settings.values[control.name] = standard
        }
        return try apply(settings).map { outcome in
            var outcome = outcome
            outcome.asked = nil
            return outcome
        }
    }
}
