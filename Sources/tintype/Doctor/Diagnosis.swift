// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// From evidence to findings: the decision tree, one cause at a time.
///
/// The daemon's experience with the camera outranks this process's view of the node, which may be hidden from it
/// or look different. A finding that explains others keeps them away: of a black picture it is not worth knowing that
/// it does not change either.
enum Diagnosis {
    /// A finding and the camera that it is of; nil for the daemon's.
    struct Entry: Hashable {
        var camera: String?
        var finding: Finding
    }

    /// All that is wrong by what was seen in one round.
    static func entries(of evidence: DoctorEvidence) -> [Entry] {
        var entries: [Entry] = []
        if let detail = evidence.daemon.detail {
            entries.append(Entry(finding: daemonUnreachable(evidence.daemon, detail)))
        }
        let reasons = evidence.daemon.health?.reasons ?? []
        entries += reasons.filter { $0.camera == nil }.compactMap { entry($0, nil) }
        if evidence.cameras.isEmpty { entries.append(Entry(finding: noCamera(evidence.daemon))) }
        for camera in evidence.cameras {
            let found = findings(of: camera, evidence.daemon).map { Entry(camera: camera.camera, finding: $0) }
            let name = camera.camera
            entries += found.isEmpty ? reasons.filter { $0.camera == name }.compactMap { entry($0, name) } : found
        }
        return entries
    }

    /// The daemon's own reports of its work; nil for those that the look at a camera tells better, and did not find
    /// now.
    private static func entry(_ reason: HealthReason, _ camera: String?) -> Entry? {
        guard let code = Finding.Code(rawValue: reason.code.rawValue), camera == nil || told.contains(code) else {
            return nil
        }
        let evidence = "The daemon reports it (“tintype status”)."
        return Entry(camera: camera, finding: Finding(code, reason.detail, evidence: evidence, remedy: reason.remedy))
    }

    /// The findings about a camera that works now.
    private static let told: [Finding.Code] = [.cameraDegraded, .stillsFail, .notPublished]

    /// The findings about one camera; empty for a healthy one.
    static func findings(of evidence: CameraEvidence, _ daemon: DaemonEvidence) -> [Finding] {
        guard let examination = evidence.examination else {
            if let failure = evidence.failure { return [finding(of: failure, evidence, daemon)] }
            return nodeFinding(evidence.node, daemon).map { [$0] } ?? []
        }
        let ofFrames = FrameDiagnosis(examination)
        // No still is taken behind a closed shutter: the problem of those is no cause of its own.
        if let shutter = ofFrames.shutter { return [shutter] }
        if let problem = examination.problem { return [finding(of: problem, evidence, daemon)] }
        let causes = [ofFrames.damage, ofFrames.picture].compactMap(\.self)
        // Damage and darkness slow a camera down: no cause of its own then.
        return causes.isEmpty ? [ofFrames.pace].compactMap(\.self) : causes
    }

    private static func daemonUnreachable(_ daemon: DaemonEvidence, _ detail: String) -> Finding {
        Finding(
            .daemonUnreachable,
            "The daemon does not answer.",
            evidence: detail,
            remedy: daemon.remedy ?? "See “systemctl status tintyped”."
        )
    }

    private static func noCamera(_ daemon: DaemonEvidence) -> Finding {
        Finding(
            .noCamera,
            "There is no camera.",
            evidence: daemon.detail == nil
                ? "The daemon has none configured and finds none." : "There is no node in /sys/class/video4linux.",
            remedy:
                "Plug one in; if it is, see whether the kernel knows it (lsusb, sudo journalctl -k) and has its driver."
        )
    }

    /// The findings from the node alone, where the daemon says nothing.
    private static func nodeFinding(_ node: NodeEvidence?, _ daemon: DaemonEvidence) -> Finding? {
        guard let node else { return nil }
        if !node.isThere { return nodeMissing(node.path, "There is nothing at \(node.path).") }
        guard node.isDevice else {
            return Finding(
                .noDevice,
                "\(node.path) is no camera.",
                evidence: "The file there is not a character device.",
                remedy: "Give the path of a node such as /dev/video0, or the name of a camera."
            )
        }
        return node.daemonMayOpen == false ? denied(node, daemon, nil) : nil
    }

    // MARK: - What the daemon met

    private static func finding(
        of problem: Problem,
        _ evidence: CameraEvidence,
        _ daemon: DaemonEvidence
    ) -> Finding {
        let node = evidence.node
        switch problem.code {
        case .cameraBusy: return busy(problem, node)
        case .cameraDenied: return denied(node, daemon, problem)
        case .cameraFault where evidence.examination?.gaveNoFrame == true,
            .deadlineExceeded where evidence.examination?.gaveNoFrame == true:
            return Finding(
                .slowToStart,
                "The camera has given no frame yet: it is slow to start, or gives none.",
                evidence: problem.detail,
                remedy: problem.remedy
            )
        case .deviceLost, .cameraNotFound:
            if node?.isThere != true { return nodeMissing(node?.path ?? evidence.camera, problem.detail) }
            return Finding(.deviceLost, "The camera does not work.", evidence: problem.detail, remedy: problem.remedy)
        default:
            let (code, detail) = Self.meaning(of: problem.code)
            return Finding(code, detail, evidence: problem.detail, remedy: problem.remedy)
        }
    }

    private static func meaning(of code: ProblemCode) -> (Finding.Code, String) {
        switch code {
        case .cameraRestricted: (.restricted, "Something other than its mode keeps the daemon from the camera.")
        case .driverStuck: (.driverStuck, "The camera's driver does not answer.")
        case .configurationUnsupported: (.formatUnsupported, "The camera offers no format that can be used.")
        case .usbBandwidth: (.usbBandwidth, "The stream cannot start: the USB bus has no bandwidth left.")
        case .noSignal: (.noSignal, "The camera's input has no signal.")
        case .deadlineExceeded: (.noFrames, "The camera gives no frames.")
        case .cameraFault: (.cameraFault, "The camera or its driver fails.")
        case .corruptOnly: (.damagedFrames, "The camera gives damaged frames only.")
        default: (.notExamined, "The daemon did not examine the camera.")
        }
    }

    private static func nodeMissing(_ path: String, _ evidence: String) -> Finding {
        Finding(
            .nodeMissing,
            "The camera is not there.",
            evidence: evidence,
            remedy:
                "Plug the camera in; if it is, see why the kernel made no node for it (sudo journalctl -k), and whether "
                + "the configuration names the right one (\(path))."
        )
    }

    private static func busy(_ problem: Problem, _ node: NodeEvidence?) -> Finding {
        let others = node?.holders.filter { !$0.isDaemon } ?? []
        let names = others.map(\.description).joined(separator: ", ")
        let unseen = node?.unseenProcesses ?? 0
        var evidence = problem.detail
        var remedy = problem.remedy
        if let first = others.first {
            evidence += " It is open in \(names)."
            remedy = "End \(others.count == 1 ? first.command : "these"), or have it use another camera."
        } else if unseen > 0 {
            evidence += " \(unseen) processes of other users could not be inspected: one of them may have it open."
            remedy = "Run “tintype doctor” as root to see the program that has it open, and end it."
        } else if node?.holders.isEmpty == false {
            evidence += " Only tintyped has it open."
            remedy = "Let each camera of the configuration name a device of its own."
        } else if node != nil {
            evidence += " No process has it open now."
        }
        return Finding(.busy, "Another program uses the camera.", evidence: evidence, remedy: remedy)
    }

    private static func denied(_ node: NodeEvidence?, _ daemon: DaemonEvidence, _ problem: Problem?) -> Finding {
        var evidence = [problem?.detail].compactMap(\.self)
        var remedy = problem?.remedy ?? "Give the daemon's user the right to read and write the node."
        if let node, let owner = node.owner, let group = node.group, let mode = node.mode {
            evidence.append("\(node.path) belongs to \(owner):\(group) and has mode \(mode).")
            if let user = daemon.user {
                let groups = daemon.groups.map { " in " + ($0.isEmpty ? "no group" : $0.joined(separator: ", ")) } ?? ""
                evidence.append("tintyped runs as \(user)\(groups).")
                // A group helps only where the mode lets the group in.
                if group != "root", mode.suffix(2).first.map({ "67".contains($0) }) == true {
                    remedy = "Add it to the group (sudo usermod -aG \(group) \(user)) and start the daemon again."
                } else {
                    remedy =
                        "Let the group video read and write the node (a udev rule with GROUP=\"video\", MODE=\"0660\")."
                }
            }
        }
        return Finding(
            .denied,
            "The daemon may not open the camera.",
            evidence: evidence.joined(separator: " "),
            remedy: remedy
        )
    }
}
