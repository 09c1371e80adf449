// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    /// The cameras of the mapping `node`, in its order.
    static func cameras(_ node: Node?, at path: String, faults: FaultCollector) -> [CameraConfiguration] {
        let remedy = "Give each camera a name, with its keys below, such as front: {device: /dev/video0}."
        var cameras: [CameraConfiguration] = []
        for entry in entries(node, at: path, remedy: remedy, faults: faults) {
            let (name, key, value) = (entry.name, entry.key, entry.value)
            if CameraName.isValid(name) {
                let keys = MappingReader<ConfigurationKey.Camera>(value, at: "\(path).\(name)", faults: faults)
                cameras.append(camera(name, keys, isMapping: value.mapping != nil, at: key.mark, faults: faults))
            } else {
                faults.add(
                    key.mark,
                    key: "\(path).\(name)",
                    "\"\(name)\" is not a camera's name.",
                    remedy: CameraName.remedy
                )
            }
        }
        return cameras
    }

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
        camera.spool = spoolName(keys)
        camera.publish = publish(keys, faults: faults)
        camera.latest = latest(keys)
        camera.ring = ring(keys, quality: camera.quality)
        camera.allowsGap = keys.truth(.allowGap) ?? camera.allowsGap
        camera.lead =
            keys.scalar(.lead, "a lead", remedy: "Give auto or a time of at most 10s, such as 50ms.") {
                StampLead($0.string)
            } ?? camera.lead
        camera.retention = retention(keys, .retention, ConfigurationKey.CameraRetention.self)
        return camera
    }
}
