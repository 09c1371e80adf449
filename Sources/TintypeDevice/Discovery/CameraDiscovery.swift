// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// Finds the video capture nodes of this machine in sysfs, /dev/v4l and the udev database.
///
/// Opens each node once when it appears, on a thread of its own, for one `VIDIOC_QUERYCAP` (no light turns on). A node
/// with a hanging driver is reported from sysfs and delays a scan by ``timeLimit`` once.
package final class CameraDiscovery: Sendable {
    package struct Finding: Hashable, Sendable {
        /// From sysfs only, if the node could not be probed.
        package var identity: CameraIdentity
        package var authorization: CameraAuthorization
    }

    /// Probes the node at a path; called on a thread of its own, where it may hang.
    package typealias Asking = @Sendable (String, DriverCalls) throws(DeviceError) -> NodeAnswer

    package static let timeLimit = Duration.milliseconds(400)
    /// Maximum number of nodes queried at once, each on a thread: a hanging driver may keep adding nodes.
    private static let mostAsked = 64

    let folders: DeviceFolders
    private let ask: Asking
    private let clock: any MonotonicClock
    private let probes = Mutex<[String: NodeProbe]>([:])
    /// Number of nodes that have not answered yet, removed ones included.
    let asked = Atomic(0)

    package init(
        in folders: DeviceFolders = .machine,
        clock: any MonotonicClock = .system,
        asking ask: @escaping Asking = NodeAnswer.query
    ) {
        (self.folders, self.clock, self.ask) = (folders, clock, ask)
    }

    /// Current capture nodes by number; concurrent scans share one probe per node.
    ///
    /// Blocks; only on a ``NamedThread``.
    package func scan() -> [Finding] {
        NamedThread.assertMayBlock("looking for cameras")
        let names = folders.videoNodes()
        let probes = probes(for: names)
        for (_, probe) in probes { probe.wait(until: probe.began + Self.timeLimit) }
        let byID = folders.links(in: Self.byIDFolder)
        let byPath = folders.links(in: Self.byPathFolder)
        var findings: [Finding] = []
        for (name, probe) in probes {
            let record = UdevRecord(of: name, in: folders)
            guard var finding = finding(of: name, probe.findings, record, after: findings) else { continue }
            let path = finding.identity.path
            finding.identity.byID = Set((byID[path] ?? []) + record.links(in: Self.byIDFolder)).sorted()
            finding.identity.byPath = Set((byPath[path] ?? []) + record.links(in: Self.byPathFolder)).sorted()
            findings.append(finding)
        }
        return findings
    }

    static let byIDFolder = "/dev/v4l/by-id"
    static let byPathFolder = "/dev/v4l/by-path"

    private func probes(for names: [String]) -> [(String, NodeProbe)] {
        let present = names.compactMap { name in NodeAppearance(of: name, in: folders).map { (name, $0) } }
        return probes.withLock { probes in
            let former = probes
            probes = [:]
            return present.map { name, appearance in
                let known = former[name].flatMap { $0.appearance == appearance && !$0.mayBeAskedAgain ? $0 : nil }
                let probe = known ?? NodeProbe(name, appearance, in: folders, clock: clock, asking: query)
                probes[name] = probe
                return (name, probe)
            }
        }
    }

    /// A node too many is reported from sysfs, and asked by a later scan.
    private func query(_ path: String, _ calls: DriverCalls) throws(DeviceError) -> NodeAnswer {
        defer { asked.subtract(1, ordering: .relaxed) }
        guard asked.add(1, ordering: .relaxed).newValue <= Self.mostAsked else {
            throw .system(operation: "VIDIOC_QUERYCAP", path: path, errno: EAGAIN)
        }
        return try ask(path, calls)
    }

    /// Nil if the node is not a camera.
    private func finding(
        of name: String,
        _ found: NodeProbe.Findings,
        _ record: UdevRecord,
        after others: [Finding]
    ) -> Finding? {
        let identity =
            found.identity
            ?? CameraIdentity(path: "/dev/\(name)", card: folders.cardName(of: name), driver: "", busInfo: "")
        let authorization: CameraAuthorization
        switch found.outcome {
        case .success(let answer):
            return answer.isCapture ? Finding(identity: answer.completing(identity), authorization: .authorized) : nil
        // Removed again, or not ready yet: the kernel creates the node just before the device can be opened.
        case .failure(.absent), .failure(.disconnected): return nil
        case .failure(let error): authorization = CameraAuthorization(error)
        case nil: authorization = .authorized
        }
        // Not probed: use udev's record, else take a device's first node as its camera; later ones carry metadata.
        let isBehindAnother = others.contains { $0.identity.isSameDevice(as: identity) }
        guard record.isCapture ?? !isBehindAnother else { return nil }
        return Finding(identity: identity, authorization: authorization)
    }

    /// Scans with every call, as node numbers may change.
    ///
    /// Blocks; called on the camera's thread. Throws ``DeviceError/unresolved(_:)`` if none or several match.
    package func locate(_ match: CameraMatch) throws(DeviceError) -> CameraIdentity {
        let findings = scan()
        do throws(Problem) {
            return try match.resolve(among: findings.map(\.identity))
        } catch {
            throw .unresolved(error)
        }
    }

    /// Identity of the node or link at `path`, without opening it; nil if it is not in sysfs.
    ///
    /// Blocks; called on the camera's thread. Throws ``DeviceError/unresolved(_:)`` for a udev link that several
    /// cameras of the same name share.
    package func identity(at path: String, calls: DriverCalls) throws(DeviceError) -> CameraIdentity? {
        NamedThread.assertMayBlock("looking for \(path)")
        for (key, folder) in [(CameraMatch.Key.byID, Self.byIDFolder), (.byPath, Self.byPathFolder)]
        where path.hasPrefix(folder + "/") {
            let match = CameraMatch([key: path])
            let owners = scan().map(\.identity).filter(match.matches)
            if owners.count > 1 { _ = try locate(match) }
        }
        guard let node = folders.resolved(path), let name = node.split(separator: "/").last.map(String.init),
            node == "/dev/\(name)", folders.videoNodes().contains(name)
        else { return nil }
        return calls.during(.attributes) { folders.identity(of: name) }
    }

    /// Throws ``DeviceError/disconnected(path:operation:)`` if the node of `known` now belongs to another device.
    ///
    /// Blocks; called on the camera's thread with the node open: it keeps its number then, so sysfs describes it.
    package func confirm(_ known: CameraIdentity, calls: DriverCalls) throws(DeviceError) {
        NamedThread.assertMayBlock("looking for \(known.path) again")
        let name = known.path.split(separator: "/").last.map(String.init) ?? ""
        let now = calls.during(.attributes) { folders.identity(of: name) }
        guard now.sysfsPath != nil, now.sysfsPath == known.sysfsPath, now.serial == known.serial, now.usb == known.usb,
            now.port == known.port
        else { throw .disconnected(path: known.path, operation: "open") }
    }
}

extension CameraIdentity {
    /// True if both are nodes of one device in sysfs: `DEVICE/video4linux/videoN`.
    fileprivate func isSameDevice(as other: CameraIdentity) -> Bool {
        guard let mine = sysfsPath?.split(separator: "/").dropLast(), let theirs = other.sysfsPath else { return false }
        return mine == theirs.split(separator: "/").dropLast()
    }
}

extension CameraAuthorization {
    package init(_ error: DeviceError) {
        self =
            switch error {
            case .denied: .denied(remedy: error.problem.remedy)
            case .restricted(let path): .restricted(by: "the device policy of the unit or container, for \(path)")
            case .absent, .disconnected: .absent
            default: .authorized
            }
    }
}
