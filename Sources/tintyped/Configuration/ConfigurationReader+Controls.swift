// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    /// The wishes of the mapping `node` for a camera's controls, which only the camera itself can judge.
    static func controls(_ node: Node?, at path: String, faults: FaultCollector) -> ControlSettings {
        var settings = ControlSettings()
        guard let node, node.yamlType != .null else { return settings }
        let remedy = "Give names of controls with values, such as brightness: 128; “tintype controls” lists them."
        guard case .mapping(let mapping) = node else {
            faults.add(node.mark, key: path, "The value is \(node.kind).", remedy: remedy)
            return settings
        }
        for (key, value) in mapping {
            let name = key.string ?? key.kind
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
        guard let node, node.yamlType != .null else { return [] }
        guard case .mapping(let mapping) = node else {
            let remedy = "Give each profile a name, with its controls below, such as night: {brightness: 200}."
            faults.add(node.mark, key: path, "The value is \(node.kind).", remedy: remedy)
            return []
        }
        var profiles: [ControlProfile] = []
        for (key, value) in mapping {
            let name = key.string ?? key.kind
            guard CameraName.isValid(name) else {
                faults.add(
                    key.mark,
                    key: "\(path).\(name)",
                    "\"\(name)\" is not a profile's name.",
                    remedy: "Use 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit."
                )
                continue
            }
            let controls = controls(value, at: "\(path).\(name)", faults: faults)
            profiles.append(ControlProfile(name: name, source: .configuration, controls: controls))
        }
        return profiles.sorted { $0.name < $1.name }
    }
}
