// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

struct DoctorCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose a camera; opens it as a still does.",
        discussion: """
            Watches the camera for 30 frames, at most 5 s, and inspects its device node and the processes that \
            have it open; run it as root to see all of them. Each finding has a remedy. Exit status 0: nothing was \
            found; \(Self.unhealthy): something was.
            """
    )

    static let unhealthy: Int32 = 3

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera's name or its node (default: all cameras).", completion: Completion.cameras)
    var camera: String?

    func validate() throws {
        if camera == "" { throw ValidationError("The camera needs a name.") }
    }

    func run() async throws {
        let report = try await report()
        try write(report, \.text)
        if !report.isHealthy { throw ExitCode(Self.unhealthy) }
    }

    /// Examines cameras through the daemon, which owns them, and inspects their nodes from outside.
    private func report() async throws -> DoctorReport {
        let cameras: [CameraStatus]
        do {
            cameras = try await selectedCameras()
        } catch let error as ClientError {
            return withoutDaemon(error)
        }
        var report = DoctorReport()
        if cameras.isEmpty {
            report.findings = [Diagnosis.nodeMissing(nil, "The daemon has no camera configured and finds none.")]
        }
        let inspector = NodeInspector(daemon: SystemCalls.listener(at: client.socket))
        for status in cameras {
            let examination = await examination(of: status.name)
            // After the examination: a program that kept the daemon from the camera still has it open.
            let node = status.identity.flatMap { $0.path.hasPrefix("/") ? inspector.evidence($0.path) : nil }
            let found = Diagnosis.findings(examination, node)
            report.findings += found
            guard found.isEmpty else { continue }
            if examination.frames.captured > 0 {
                report.healthyCameras.append(status.name)
            } else {
                report.silentCameras.append(status.name)
            }
        }
        return report
    }

    private func selectedCameras() async throws -> [CameraStatus] {
        let cameras = try await client.cameras().cameras
        guard let camera else { return cameras }
        if let status = cameras.first(where: { $0.isCalled(camera) }) { return [status] }
        // The daemon's own error for an unknown camera.
        return [try await client.camera(camera)]
    }

    private func examination(of camera: String) async -> Examination {
        var examination = Examination(camera: camera)
        do {
            examination = try await client.examine(ExaminationRequest(), of: camera)
        } catch let problem as Problem {
            examination.problem = problem
        } catch {
            let detail = (error as? ClientError)?.detail ?? "\(error)"
            let remedy = "See tintyped's log (sudo journalctl -u tintyped) and ask again."
            examination.problem = Problem(.internalError, detail, remedy: remedy)
        }
        return examination
    }

    private func withoutDaemon(_ error: ClientError) -> DoctorReport {
        var findings = [Finding(code: "daemon-unreachable", detail: error.detail, remedy: error.remedy)]
        let inspector = NodeInspector()
        let paths = Self.paths(camera, inspector.nodes)
        if paths.isEmpty { findings.append(Diagnosis.nodeMissing(nil, "There is no node in \(inspector.list).")) }
        findings += paths.compactMap { Diagnosis.finding($0, inspector.evidence($0)) }
        return DoctorReport(findings: findings)
    }

    /// Nodes that `camera` may refer to when the daemon cannot be asked.
    static func paths(_ camera: String?, _ nodes: [String]) -> [String] {
        guard let camera else { return nodes }
        if camera.hasPrefix("/") { return [camera] }
        return camera.wholeMatch(of: /video[0-9]+/) == nil ? nodes : ["/dev/\(camera)"]
    }
}

extension CameraStatus {
    /// True for the camera's name, node path or a link to the node.
    fileprivate func isCalled(_ name: String) -> Bool {
        self.name == name || identity.map { $0.path == name || ($0.byID + $0.byPath).contains(name) } ?? false
    }
}

/// Owner, mode and openers of device nodes, from outside: opens no device.
struct NodeInspector {
    /// sysfs folder of video nodes; replaced in tests.
    var list = "/sys/class/video4linux"
    /// Mount point of proc(5); replaced in tests.
    var processes = "/proc"
    var daemon: pid_t?

    var nodes: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: list)) ?? [])
            .compactMap { name in name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil }
            .sorted().map { "/dev/video\($0)" }
    }

    /// Evidence about the node at `path`, following links; nil if it is not a device.
    func evidence(_ path: String) -> NodeEvidence? {
        guard let facts = try? SystemCalls.facts(path), facts.isCharacterDevice else { return nil }
        let (holders, unseen) = holders(of: facts.device)
        return NodeEvidence(
            path: path,
            owner: Accounts.userName(facts.owner),
            group: SystemCalls.groupName(facts.group),
            // Four octal digits.
            mode: String(String(0o10000 | facts.mode & 0o7777, radix: 8).dropFirst()),
            daemon: daemon.flatMap { account(of: $0) },
            holders: holders,
            unseenProcesses: unseen
        )
    }

    /// Processes that have the device open, by pid, and the number of processes that could not be inspected.
    ///
    /// Reads links in /proc/PID/fd, and calls stat(2) only for targets that may be a camera: other files may be on a
    /// filesystem that hangs. Only root can inspect processes of other users.
    func holders(of device: dev_t) -> (holders: [NodeHolder], unseen: Int) {
        var holders: [NodeHolder] = []
        var unseen = 0
        let all = (try? FileManager.default.contentsOfDirectory(atPath: processes)) ?? []
        for pid in all.compactMap({ pid_t($0) }).sorted() {
            let folder = "\(processes)/\(pid)/fd"
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: folder)
            } catch {
                // All other errors mean that the process has ended.
                if (error as? CocoaError)?.code == .fileReadNoPermission { unseen += 1 }
                continue
            }
            let isHolder = names.contains { name in
                let path = "\(folder)/\(name)"
                guard let target = SystemCalls.link(path), Self.mayBeCamera(target) else { return false }
                guard let facts = try? SystemCalls.facts(path) else { return false }
                return facts.isCharacterDevice && facts.device == device
            }
            guard isHolder else { continue }
            let name = text("\(pid)/comm")?.split(separator: "\n").first.map { String($0) } ?? "unknown"
            let user = account(of: pid)?.user ?? "unknown"
            holders.append(NodeHolder(pid: pid, command: name, user: user, isDaemon: pid == daemon))
        }
        return (holders, unseen)
    }

    /// A node opened in a container may have another path, or a name without a folder.
    private static func mayBeCamera(_ target: String) -> Bool {
        target.hasPrefix("/dev/") || (target.split(separator: "/").last?.contains("video") ?? false)
    }

    /// Effective user, effective group and supplementary groups of a process; nil if they cannot be read.
    func account(of pid: pid_t) -> (user: String, groups: [String])? {
        guard let text = text("\(pid)/status") else { return nil }
        let numbers = { (name: String) -> [UInt32] in
            let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
            return line.split(whereSeparator: { " \t".contains($0) }).compactMap { UInt32($0) }
        }
        // Real, effective, saved and filesystem ids.
        let (users, group) = (numbers("Uid"), numbers("Gid"))
        guard users.count == 4, group.count == 4 else { return nil }
        let groups = [group[1]] + numbers("Groups").filter { $0 != group[1] }
        return (Accounts.userName(users[1]), groups.map(SystemCalls.groupName))
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: "\(processes)/\(path)").map { String(decoding: $0, as: UTF8.self) }
    }
}

struct NodeEvidence {
    var path: String
    var owner, group: String
    var mode: String
    /// User and groups of the daemon; nil if unknown.
    var daemon: (user: String, groups: [String])?
    var holders: [NodeHolder] = []
    var unseenProcesses = 0
}

struct NodeHolder: Hashable, CustomStringConvertible {
    var pid: pid_t
    /// From /proc/PID/comm.
    var command: String
    var user: String
    var isDaemon: Bool

    /// For example `v4l2-ctl (pid 812, user root)`.
    var description: String { "\(command) (pid \(pid), user \(user))" }
}
