// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeModel

enum ControlCheck {
    /// A fault, by the path of the control, such as `cameras.front.controls.brigthness`.
    typealias Finding = (path: String, detail: String, remedy: String)

    /// Without `controls`, if the camera cannot be queried, only names unknown to Linux are reported.
    static func findings(of camera: CameraConfiguration, controls: [ControlDescription]?) -> [Finding] {
        let profiles = camera.profiles.map { (["profiles", $0.name], $0.controls) }
        let places = [(["controls"], camera.session.controls)] + profiles
        return places.flatMap { place, settings in
            settings.values.sorted { $0.key < $1.key }.compactMap { name, wish -> Finding? in
                let path = (["cameras", camera.name] + place + [name]).reduce("", FieldPath.joined)
                guard let control = controls?.control(named: name) else { return unknown(name, at: path, controls) }
                do throws(ControlRefusal) {
                    _ = try control.resolve(wish)
                    return nil
                } catch {
                    return (path, error.reason, "“tintype controls \(camera.name)” shows what the control takes.")
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

    private static func unknown(_ name: String, at path: String, _ controls: [ControlDescription]?) -> Finding? {
        let known = controls?.map(\.name) ?? ControlName.known
        // A numeric id, such as 0x00980900, is valid too.
        let isPlausible = known.contains(ControlName.key(of: name)) || name.first?.isNumber == true
        if controls == nil, isPlausible { return nil }
        let detail =
            controls == nil
            ? "Linux knows no control of this name, and the camera cannot be asked now."
            : "The camera has no such control."
        let near = Spelling.nearest(to: name, among: known).map { "Did you mean \($0)? " } ?? ""
        return (path, detail, near + "“tintype controls” lists those of a camera.")
    }
}

extension ConfigurationReader {
    /// Checks the controls of a valid configuration; `ask` returns those of a camera, nil if it cannot be queried.
    ///
    /// Faults of such a camera are doubts.
    static func checkControls(
        of configuration: DaemonConfiguration,
        in text: String,
        file: String,
        ask: (Camera.Source) -> [ControlDescription]?
    ) -> (faults: [ConfigurationFault], doubts: [ConfigurationFault]) {
        let document = ConfigurationDocument(text, file: file)
        var (faults, doubts): ([ConfigurationFault], [ConfigurationFault]) = ([], [])
        for camera in configuration.cameras where camera.namesControls {
            let controls = ask(camera.source)
            let found = ControlCheck.findings(of: camera, controls: controls).map { path, detail, remedy in
                let place = document[path]?.keyPlace
                return ConfigurationFault(file: file, place: place, key: path, detail: detail, remedy: remedy)
            }
            if controls == nil { doubts += found } else { faults += found }
        }
        return (faults, doubts)
    }
}
