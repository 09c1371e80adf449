// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    /// The wishes of the mapping `node` for a camera's controls, which only the camera itself can judge.
    static func controls(_ node: Node?, at path: String, faults: FaultCollector) -> ControlSettings {
        var settings = ControlSettings()
        let remedy = "Give names of controls with values, such as brightness: 128; “tintype controls” lists them."
        for entry in entries(node, at: path, remedy: remedy, faults: faults) {
            let (name, key, value) = (entry.name, entry.key, entry.value)
            guard key.scalar != nil, !ControlName.key(of: name).isEmpty else {
                faults.add(key.mark, key: path, "\"\(name)\" is not a control's name.", remedy: remedy)
                continue
            }
            guard case .scalar(let scalar) = value, value.yamlType != .null else {
                let detail = "The value is \(value.kind) and not a number, on, off or text."
                faults.add(value.mark, key: "\(path).\(name)", detail, remedy: "Give such a value, as in 128 or on.")
                continue
            }
            settings.values[name] = ControlValue(written: scalar.string)
        }
        return settings
    }

    /// The named profiles of the mapping `node`, by name.
    static func profiles(_ node: Node?, at path: String, faults: FaultCollector) -> [ControlProfile] {
        let remedy = "Give each profile a name, with its controls below, such as night: {brightness: 200}."
        var profiles: [ControlProfile] = []
        for entry in entries(node, at: path, remedy: remedy, faults: faults) {
            let name = entry.name
            guard CameraName.isValid(name) else {
                faults.add(
                    entry.key.mark,
                    key: "\(path).\(name)",
                    "\"\(name)\" is not a profile's name.",
                    remedy: CameraName.remedy
                )
                continue
            }
            let controls = controls(entry.value, at: "\(path).\(name)", faults: faults)
            profiles.append(ControlProfile(name: name, source: .configuration, controls: controls))
        }
        return profiles.sorted { $0.name < $1.name }
    }
}
