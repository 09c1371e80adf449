// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    /// The cameras of the mapping `node`, in its order.
    static func cameras(_ node: Node?, at path: String, faults: FaultCollector) -> [CameraConfiguration] {
        guard let node, node.yamlType != .null else { return [] }
        guard case .mapping(let mapping) = node else {
            faults.add(
                node.mark,
                key: path,
                "The value is \(node.kind).",
                remedy: "Give each camera a name, with its keys below, such as front: {device: /dev/video0}."
            )
            return []
        }
        var cameras: [CameraConfiguration] = []
        for (key, value) in mapping {
            let name = key.string ?? key.kind
            if cameras.contains(where: { $0.name == name }) {
                faults.add(key.mark, key: "\(path).\(name)", "There is a camera of this name above.", remedy: oneName)
            } else if CameraName.isValid(name) {
                let keys = MappingReader<ConfigurationKey.Camera>(value, at: "\(path).\(name)", faults: faults)
                cameras.append(camera(name, keys, isMapping: value.mapping != nil, at: key.mark, faults: faults))
            } else {
                faults.add(
                    key.mark,
                    key: "\(path).\(name)",
                    "\"\(name)\" is not a camera's name.",
                    remedy: "Use 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit."
                )
            }
        }
        return cameras
    }

    /// What to do about two cameras of one name.
    static let oneName = "Give every camera a name of its own."

    private static func camera(
        _ name: String,
        _ keys: MappingReader<ConfigurationKey.Camera>,
        isMapping: Bool,
        at mark: Mark?,
        faults: FaultCollector
    ) -> CameraConfiguration {
        var camera = CameraConfiguration(name: name)
        camera.device = device(keys)
        camera.match = match(keys)
        checkAddress(keys, isMapping: isMapping, at: mark, faults: faults)
        camera.format = formatWish(keys)
        camera.input = inputWish(keys)
        camera.warmth =
            keys.scalar(.warmth, "a warmth", remedy: SettingText.warmth) { Warmth($0.string) } ?? camera.warmth
        camera.quality = keys.integer(.quality, in: 1...100) ?? camera.quality
        camera.position = position(keys)
        camera.overlay = overlay(keys)
        camera.controls = controls(keys.node(.controls), at: keys.name(.controls), faults: faults)
        camera.profiles = profiles(keys.node(.profiles), at: keys.name(.profiles), faults: faults)
        camera.publish = publish(keys)
        camera.ring = ring(keys, quality: camera.quality)
        camera.allowsGap = keys.truth(.allowGap) ?? camera.allowsGap
        return camera
    }

    private static func publish(_ keys: MappingReader<ConfigurationKey.Camera>) -> PublishSchedule? {
        guard let schedule = keys.mapping(.publish, ConfigurationKey.Publish.self) else { return nil }
        let remedy = "Give a number and its unit (ms, s, m, h or d), such as 60s or 5m."
        guard schedule.node(.every) != nil else {
            if keys.node(.publish)?.mapping != nil {
                keys.fault(.publish, "The key every is missing.", remedy: remedy)
            }
            return nil
        }
        guard
            let every = schedule.scalar(.every, "a duration", remedy: remedy, { HumanDuration.parse($0.string) })
        else { return nil }
        guard (PublishSchedule.shortest...PublishSchedule.longest).contains(every) else {
            schedule.fault(
                .every,
                "\"\(schedule.node(.every)?.string ?? "")\" is out of range.",
                remedy: "Give a duration from \(HumanDuration.text(PublishSchedule.shortest))"
                    + " to \(HumanDuration.text(PublishSchedule.longest))."
            )
            return nil
        }
        return PublishSchedule(every: every)
    }
}
