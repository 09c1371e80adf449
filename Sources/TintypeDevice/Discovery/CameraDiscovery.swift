// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// Finds the video capture nodes of this machine.
///
/// Reads sysfs, /dev/v4l and what udev has noted, and opens each node once, for one `VIDIOC_QUERYCAP`, when it appears: no
/// camera's light goes on. Each node is asked on a thread of its own; one whose driver hangs is told with what sysfs says
/// and holds up the others for ``timeLimit`` once.
package final class CameraDiscovery: Sendable {
    /// A node that captures video, or one that could not be asked whether it does.
    package struct Finding: Hashable, Sendable {
        /// Which camera it is; where the node could not be asked, what sysfs tells of it.
        package var identity: CameraIdentity
        /// Whether it can be opened.
        package var authorization: CameraAuthorization

        /// A finding of these parts.
        package init(identity: CameraIdentity, authorization: CameraAuthorization) {
            self.identity = identity
            self.authorization = authorization
        }
    }

    /// Asks the node at a path; called on a thread of its own, where it may hang.
    package typealias Asking = @Sendable (String, DriverCalls) throws(DeviceError) -> NodeAnswer

    /// How long a node that has just appeared is waited for: 400 ms.
    package static let timeLimit = Duration.milliseconds(400)
    /// So many nodes that never answer are left behind at most.
    private static let mostHanging = 64

    private struct State {
        var probes: [String: NodeProbe] = [:]
        /// Probes of nodes that went before they had answered; each is there until its thread has ended.
        var abandoned: [Abandoned] = []
    }

    private struct Abandoned {
        weak let probe: NodeProbe?
    }

    let folders: DeviceFolders
    private let ask: Asking
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    /// A discovery of what is in `folders`; nodes are waited for by `clock`.
    package init(
        in folders: DeviceFolders = .machine,
        clock: any MonotonicClock = .system,
        asking ask: @escaping Asking = NodeAnswer.ask
    ) {
        self.folders = folders
        self.clock = clock
        self.ask = ask
    }

    /// The capture nodes there are now, in order of their numbers.
    ///
    /// Blocks: only on a thread of our own. Several threads may scan at once; a node is asked once for all of them.
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

    /// How many nodes have gone that have not answered.
    var abandonedCount: Int { state.withLock { $0.abandoned.count { $0.probe != nil } } }

    static let byIDFolder = "/dev/v4l/by-id"
    static let byPathFolder = "/dev/v4l/by-path"

    /// The probe of each node that is there, begun where the node is new.
    private func probes(for names: [String]) -> [(String, NodeProbe)] {
        let present = names.compactMap { name -> (String, NodeAppearance)? in
            NodeAppearance(of: name, in: folders).map { (name, $0) }
        }
        return state.withLock { state in
            let probes = present.compactMap { name, appearance -> (String, NodeProbe)? in
                if let known = state.probes[name], known.appearance == appearance, !known.mayBeAskedAgain {
                    return (name, known)
                }
                let former = state.probes[name]
                state.abandoned.removeAll { $0.probe == nil }
                guard state.abandoned.count < Self.mostHanging else { return former.map { (name, $0) } }
                if let former, former.findings.outcome == nil { state.abandoned.append(Abandoned(probe: former)) }
                let probe = NodeProbe(name, appearance, in: folders, clock: clock, asking: ask)
                state.probes[name] = probe
                return (name, probe)
            }
            let there = Set(names)
            for (name, probe) in state.probes where !there.contains(name) {
                if probe.findings.outcome == nil { state.abandoned.append(Abandoned(probe: probe)) }
                state.probes[name] = nil
            }
            return probes
        }
    }

    /// What a probe found; nil for what is no camera.
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
        // Gone again, or not there yet: the kernel makes the node just before the device can be opened.
        case .failure(.absent), .failure(.disconnected): return nil
        case .failure(let error): authorization = CameraAuthorization(error)
        case nil: authorization = .authorized
        }
        // Not asked: udev may know; else a device's first node is its camera, and those behind it carry metadata.
        let isBehindAnother = others.contains { $0.identity.isSameDevice(as: identity) }
        guard record.isCapture ?? !isBehindAnother else { return nil }
        return Finding(identity: identity, authorization: authorization)
    }
}

extension CameraIdentity {
    /// Whether both are nodes of one device, as sysfs has it: `DEVICE/video4linux/videoN`.
    fileprivate func isSameDevice(as other: CameraIdentity) -> Bool {
        guard let mine = sysfsPath?.split(separator: "/").dropLast(), let theirs = other.sysfsPath else { return false }
        return mine == theirs.split(separator: "/").dropLast()
    }
}

extension CameraAuthorization {
    /// What an attempt to open a node says.
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

extension CameraDiscovery {
    /// The camera that `match` means, as it is now: looked for again with every call, since its number may have
    /// changed.
    ///
    /// Blocks: called on the camera's own thread. Throws ``DeviceError/unresolved(_:)`` where there is none or several.
    package func locate(_ match: CameraMatch) throws(DeviceError) -> CameraIdentity {
        let findings = scan()
        do throws(Problem) {
            return try match.resolve(among: findings.map(\.identity))
        } catch {
            throw .unresolved(error)
        }
    }

    /// What is known of the node or link at `path` without opening anything; nil for what is not in sysfs.
    ///
    /// Blocks: called on the camera's own thread. A link that udev made for one of several cameras of the same name says
    /// nothing about which one it is: throws ``DeviceError/unresolved(_:)``, which lists them.
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

    /// Throws ``DeviceError/disconnected(path:operation:)`` where the node of `known` is that of another device by now.
    ///
    /// Blocks: called on the camera's own thread, with the node open. An open device keeps its number, so that what
    /// sysfs says of the number then is said of the device that was opened.
    package func confirm(_ known: CameraIdentity, calls: DriverCalls) throws(DeviceError) {
        NamedThread.assertMayBlock("looking for \(known.path) again")
        let name = known.path.split(separator: "/").last.map(String.init) ?? ""
        let now = calls.during(.attributes) { folders.identity(of: name) }
        guard now.sysfsPath != nil, now.sysfsPath == known.sysfsPath, now.serial == known.serial, now.usb == known.usb,
            now.port == known.port
        else { throw .disconnected(path: known.path, operation: "open") }
    }
}
