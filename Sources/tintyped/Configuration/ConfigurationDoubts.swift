// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSpool

extension ConfigurationReader {
    /// Parts of a valid configuration that its author may not want: absent cameras, cameras that share a device, schedules
    /// that fill the disk, codes that nothing reads, and a port that nothing reaches.
    static func doubts(
        about configuration: DaemonConfiguration,
        in text: String,
        file: String,
        _ seen: CameraScanner.Sightings,
        readsCodes: Bool = CodeReader.installed != nil,
        hasNetwork: Bool = true
    ) -> [ConfigurationFault] {
        let document = ConfigurationDocument(text, file: file)
        var doubts: [ConfigurationFault] = []
        if configuration.tcp?.address != nil, !hasNetwork {
            let (key, place) = ("tcp.port", document["tcp.port"]?.keyPlace)
            let detail = "The unit \(ServiceNetwork.unit) has no network (PrivateNetwork=): nothing reaches the port."
            let doubt = ConfigurationFault(
                file: file,
                place: place,
                key: key,
                detail: detail,
                remedy: ServiceNetwork.remedy
            )
            doubts.append(doubt)
        }
        var owners: [String: String] = [:]
        for camera in configuration.cameras {
            let path = FieldPath.joined("cameras", camera.name)
            // A camera of --device is not in the file.
            guard document[path] != nil else { continue }
            func add(_ key: String, _ detail: String, remedy: String) {
                let (key, place) = (FieldPath.joined(path, key), document[FieldPath.joined(path, key)]?.keyPlace)
                let doubt = ConfigurationFault(file: file, place: place, key: key, detail: detail, remedy: remedy)
                doubts.append(doubt)
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
            let spool = configuration.spools.first { $0.name == camera.spool } ?? configuration.spool
            let limits = [camera.retention, spool.retention]
            guard limits.allSatisfy({ $0.maxBytes == nil && $0.minFree == 0 }) else { continue }
            func doubt(_ key: String, _ what: String, _ limit: String) {
                let remedy = "Give the camera or its spool a limit, such as retention: {\(limit): 30d}."
                add(key, "No retention limits these \(what): they fill the disk.", remedy: remedy)
            }
            if camera.publish.contains(where: { $0.length == nil }),
                limits.allSatisfy({ !$0.isByAge && $0.maxFrames == nil })
            {
                doubt("publish", "pictures", "maxAge")
            }
            guard limits.allSatisfy({ $0.films == nil }) else { continue }
            if camera.film != nil { doubt("film", "films", "films") }
            if camera.publish.contains(where: { $0.length != nil }) { doubt("record", "clips", "films") }
        }
        return doubts
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
