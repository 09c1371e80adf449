// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeModel

enum ControlCheck {
    struct Finding: Hashable {
        /// Such as `cameras.front.controls.brigthness`.
        var path: String
        var detail: String
        var remedy: String
        /// Confirmed by the camera, not judged by the name alone.
        var isCertain: Bool
    }

    /// Without `controls`, if the camera cannot be queried, only names unknown to Linux are reported, as uncertain.
    static func findings(of camera: CameraConfiguration, controls: [ControlDescription]?) -> [Finding] {
        let profiles = camera.profiles.map { (["profiles", $0.name], $0.controls) }
        let places = [(["controls"], camera.session.controls)] + profiles
        return places.flatMap { place, settings in
            settings.values.sorted { $0.key < $1.key }.compactMap { name, wish in
                let path = (["cameras", camera.name] + place + [name]).reduce("", FieldPath.joined)
                guard let controls else { return unknown(name, at: path, among: ControlName.known, isCertain: false) }
                guard let control = controls.control(named: name) else {
                    return unknown(name, at: path, among: controls.map(\.name), isCertain: true)
                }
                do throws(ControlRefusal) {
                    _ = try control.resolve(wish)
                    return nil
                } catch {
                    let remedy = "“tintype controls \(camera.name)” shows what the control takes."
                    return Finding(path: path, detail: error.reason, remedy: remedy, isCertain: true)
                }
            }
        }
    }

    /// Nil if the camera cannot be queried.
    ///
    /// Opens the node briefly without starting a stream (VIDIOC_QUERY_EXT_CTRL). Blocks.
    static func controls(of source: Camera.Source) -> [ControlDescription]? {
        guard let device = try? source.opener(name: "", CameraDiscovery())(DriverCalls()) else { return nil }
        return try? DeviceControls(of: device).all()
    }

    private static func unknown(_ name: String, at path: String, among known: [String], isCertain: Bool) -> Finding? {
        // A numeric id, such as 0x00980900, is valid too.
        let isPlausible = known.contains(ControlName.key(of: name)) || name.first?.isNumber == true
        if !isCertain, isPlausible { return nil }
        let near = Spelling.nearest(to: name, among: known).map { "Did you mean \($0)? " } ?? ""
        return Finding(
            path: path,
            detail: isCertain
                ? "The camera has no such control."
                : "Linux knows no control of this name, and the camera cannot be asked now.",
            remedy: near + "“tintype controls” lists those of a camera.",
            isCertain: isCertain
        )
    }
}

extension ConfigurationReader {
    /// Checks the controls of a valid configuration; `ask` returns those of a camera, nil if it cannot be queried.
    static func checkControls(
        of configuration: DaemonConfiguration,
        in text: String,
        file: String,
        ask: (Camera.Source) -> [ControlDescription]?
    ) -> (faults: [ConfigurationFault], doubts: [ConfigurationFault]) {
        let document = ConfigurationDocument(text, file: file)
        let findings = configuration.cameras.filter(\.namesControls)
            .flatMap { ControlCheck.findings(of: $0, controls: ask($0.source)) }
        let faults = { (isCertain: Bool) in
            findings.filter { $0.isCertain == isCertain }.map { finding in
                ConfigurationFault(
                    file: file,
                    place: document[finding.path]?.keyPlace,
                    key: finding.path,
                    detail: finding.detail,
                    remedy: finding.remedy
                )
            }
        }
        return (faults(true), faults(false))
    }
}
