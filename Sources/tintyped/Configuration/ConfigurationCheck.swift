// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSpool

/// Comparison of a valid configuration with the machine, for `--check`.
struct ConfigurationCheck {
    private let configuration: DaemonConfiguration
    private let document: ConfigurationDocument

    init(_ configuration: DaemonConfiguration, in text: String, file: String) {
        (self.configuration, document) = (configuration, ConfigurationDocument(text, file: file))
    }

    /// Parts that their author may not want: absent cameras, cameras that share a device, schedules that fill the disk,
    /// and codes that nothing reads.
    func doubts(
        _ seen: CameraScanner.Sightings,
        readsCodes: Bool = CodeReader.installed != nil
    ) -> [ConfigurationFault] {
        var doubts: [ConfigurationFault] = []
        var owners: [String: String] = [:]
        for camera in configuration.cameras {
            let path = FieldPath.joined("cameras", camera.name)
            // A camera of --device is not in the file.
            guard document[path] != nil else { continue }
            func add(_ key: String, _ detail: String, remedy: String) {
                doubts.append(document.fault(ofKey: FieldPath.joined(path, key), detail, remedy: remedy))
            }
            let key = if case .match = camera.source { "match" } else { "device" }
            if let problem = seen.absence(of: camera.source) { add(key, problem.detail, remedy: problem.remedy) }
            if let device = seen.device(of: camera.source) {
                if let owner = owners[device] {
                    let remedy = "Let each camera name a device of its own: only one of the two can be open."
                    add(key, "It is the device of the camera \(owner) too.", remedy: remedy)
                }
                owners[device] = owners[device] ?? camera.name
            }
            if camera.readsCodes, !readsCodes {
                let remedy = "Install tintype from a build with libzbar-dev, and the package libzbar0."
                add("codes", "The program tintype-codes, which reads them, is not installed.", remedy: remedy)
            }
            for (key, what, limit) in unlimited(camera) {
                let remedy = "Give the camera or its spool a limit, such as retention: {\(limit): 30d}."
                add(key, "No retention limits these \(what): they fill the disk.", remedy: remedy)
            }
        }
        return doubts
    }

    /// Keys of a camera whose files nothing deletes, their kind, and the key of a limit.
    private func unlimited(_ camera: CameraConfiguration) -> [(key: String, what: String, limit: String)] {
        let spool = configuration.spools.first { $0.name == camera.spool } ?? configuration.spool
        let limits = [camera.retention, spool.retention]
        guard limits.allSatisfy({ $0.maxBytes == nil && $0.minFree == 0 }) else { return [] }
        let keepsStills = limits.allSatisfy { !$0.isByAge && $0.maxFrames == nil }
        let keepsFilms = limits.allSatisfy { $0.films == nil }
        let kinds = [
            ("publish", "pictures", "maxAge", keepsStills && camera.publish.contains { $0.length == nil }),
            ("film", "films", "films", keepsFilms && camera.film != nil),
            ("record", "clips", "films", keepsFilms && camera.publish.contains { $0.length != nil }),
        ]
        return kinds.filter(\.3).map { ($0.0, $0.1, $0.2) }
    }

    /// Users and groups that this machine does not have; blocks like ``Accounts``.
    ///
    /// Without those of the socket and of spools the daemon does not start; a rule of `access` applies to nobody.
    func accounts() -> (faults: [ConfigurationFault], doubts: [ConfigurationFault]) {
        func absence(of name: String?, _ kind: String, at path: String) -> ConfigurationFault? {
            guard let name, (kind == "user" ? Accounts.user : Accounts.group)(name) == nil else { return nil }
            let remedy = "Create it (sysusers.d, adduser), or name another."
            return document.fault(ofKey: path, "This machine has no \(kind) \(name).", remedy: remedy)
        }
        let spools = ([configuration.spool] + configuration.spools).flatMap { spool in
            let isUsual = spool.name == SpoolStore.Configuration.defaultName
            let path = isUsual ? "spool" : FieldPath.joined("spools", spool.name)
            return [
                absence(of: spool.owner, "user", at: "\(path).owner"),
                absence(of: spool.group, "group", at: "\(path).group"),
            ]
        }
        let faults = [absence(of: configuration.socket.group, "group", at: "socket.group")] + spools
        let doubts = (configuration.access ?? []).enumerated().map { index, rule in
            switch rule.subject {
            case .user(let name): absence(of: name, "user", at: "access[\(index)].user")
            case .group(let name): absence(of: name, "group", at: "access[\(index)].group")
            case .token: nil as ConfigurationFault?
            }
        }
        return (faults.compactMap(\.self), doubts.compactMap(\.self))
    }

    /// Faults of the controls; `ask` returns those of a camera, nil if it cannot be queried.
    ///
    /// Of such a camera, only names unknown to Linux are reported, as doubts.
    func controls(
        ask: (Camera.Source) -> [ControlDescription]?
    ) -> (faults: [ConfigurationFault], doubts: [ConfigurationFault]) {
        var (faults, doubts): ([ConfigurationFault], [ConfigurationFault]) = ([], [])
        for camera in configuration.cameras where camera.namesControls {
            let controls = ask(camera.source)
            let profiles = camera.profiles.map { (["profiles", $0.name], $0.controls) }
            for (place, settings) in [(["controls"], camera.session.controls)] + profiles {
                for (name, wish) in settings.values.sorted(by: { $0.key < $1.key }) {
                    guard let (detail, remedy) = fault(of: name, wish, controls, camera.name) else { continue }
                    let path = (["cameras", camera.name] + place + [name]).reduce("", FieldPath.joined)
                    let fault = document.fault(ofKey: path, detail, remedy: remedy)
                    if controls == nil { doubts.append(fault) } else { faults.append(fault) }
                }
            }
        }
        return (faults, doubts)
    }

    private func fault(
        of name: String,
        _ wish: ControlValue,
        _ controls: [ControlDescription]?,
        _ camera: String
    ) -> (detail: String, remedy: String)? {
        if let control = controls?.control(named: name) {
            do throws(ControlRefusal) {
                _ = try control.resolve(wish)
                return nil
            } catch {
                return (error.reason, "“tintype controls \(camera)” shows what the control takes.")
            }
        }
        let known = controls?.map(\.name) ?? ControlName.known
        let near = Spelling.nearest(to: name, among: known).map { "Did you mean \($0)? " } ?? ""
        let remedy = near + "“tintype controls” lists those of a camera."
        if controls != nil { return ("The camera has no such control.", remedy) }
        // A numeric id, such as 0x00980900, is valid too.
        if known.contains(ControlName.key(of: name)) || name.first?.isNumber == true { return nil }
        return ("Linux knows no control of this name, and the camera cannot be asked now.", remedy)
    }

    /// Controls of a camera; nil if it cannot be queried.
    ///
    /// Opens the node briefly without starting a stream (VIDIOC_QUERY_EXT_CTRL). Blocks.
    static func controls(of source: Camera.Source) -> [ControlDescription]? {
        guard let device = try? source.opener(name: "", CameraDiscovery())(DriverCalls()) else { return nil }
        return try? DeviceControls(of: device).all()
    }
}

extension CameraScanner.Sightings {
    /// `device-lost` or `camera-ambiguous`; nil for a camera that is there, and before the first scan.
    fileprivate func absence(of source: Camera.Source) -> Problem? {
        guard isKnown else { return nil }
        guard case .node(let path) = source else { return unresolved(source) }
        return access(to: source) == .absent ? DeviceError.absent(path: path).problem : nil
    }

    /// Node of a camera that is there, else what the configuration says; nil for a pattern, which is no device.
    fileprivate func device(of source: Camera.Source) -> String? {
        if let finding = finding(for: source) { return finding.identity.path }
        return switch source {
        case .node(let path): nodes[path] ?? path
        case .match(let match): "\(match)"
        case .pattern: nil
        }
    }
}
