// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Findings from evidence, one cause at a time: a black picture is not also reported as frozen.
enum Diagnosis {
    /// Empty for a healthy camera; `node` is nil if it does not exist or the camera has none.
    static func findings(_ examination: Examination, _ node: NodeEvidence?) -> [Finding] {
        // A closed shutter explains the problem: no still can be taken.
        if examination.shutterClosed == true { return [shutterClosed(of: examination.camera)] }
        if let problem = examination.problem { return [finding(of: problem, examination.camera, node)] }
        return [damage(examination), picture(examination)].compactMap(\.self)
    }

    /// Finding about the node at `path` when the daemon cannot be reached; nil if none.
    static func finding(_ path: String, _ node: NodeEvidence?) -> Finding? {
        guard let node else { return nodeMissing(path, "There is no device at \(path).") }
        guard !node.holders.isEmpty else { return nil }
        let (who, remedy) = words(node.holders)
        return Finding(code: "busy", camera: path, detail: "Another program has \(path) open. \(who)", remedy: remedy)
    }

    static func nodeMissing(_ camera: String?, _ detail: String) -> Finding {
        let remedy =
            "Plug the camera in; if it is, see why the kernel made no node for it (lsusb, sudo journalctl -k), and "
            + "whether the configuration names the right one."
        return Finding(code: "node-missing", camera: camera, detail: detail, remedy: remedy)
    }

    // MARK: - Problems of the daemon

    private static func finding(of problem: Problem, _ camera: String, _ node: NodeEvidence?) -> Finding {
        var (code, detail, remedy) = (problem.code.rawValue, [problem.detail], problem.remedy)
        switch (problem.code, node) {
        case (.cameraBusy, _):
            code = "busy"
            guard let node else { break }
            let (who, end) = holders(node)
            detail.append(who)
            remedy = end ?? remedy
        case (.cameraDenied, _):
            code = "denied"
            guard let node else { break }
            detail.append("\(node.path) belongs to \(node.owner):\(node.group) and has mode \(node.mode).")
            guard let (user, groups) = node.daemon else { break }
            detail.append("tintyped runs as \(user) in \(groups.joined(separator: ", ")).")
            // Joining the group helps only if the mode grants it access.
            let isForGroup = node.group != "root" && "67".contains(node.mode.suffix(2).prefix(1))
            remedy =
                isForGroup
                ? "Add it to the group (sudo usermod -aG \(node.group) \(user)) and start the daemon again."
                : "Let the group video read and write the node (a udev rule with GROUP=\"video\", MODE=\"0660\")."
        case (.deadlineExceeded, _): code = "no-frames"
        case (.deviceLost, nil), (.cameraNotFound, nil): return nodeMissing(camera, problem.detail)
        default: break
        }
        return Finding(code: code, camera: camera, detail: detail.joined(separator: " "), remedy: remedy)
    }

    /// Processes that have a busy node open, and a remedy, which is nil if the node is free by now.
    private static func holders(_ node: NodeEvidence) -> (who: String, remedy: String?) {
        let others = node.holders.filter { !$0.isDaemon }
        if !others.isEmpty { return words(others) }
        if node.unseenProcesses > 0 {
            let (one, many) = ("process of another user", "processes of other users")
            let who = "\(CountText.text(node.unseenProcesses, one, many)) could not be inspected"
            let remedy = "Run “tintype doctor” as root to see the program that has it open, and end it."
            let which = node.unseenProcesses == 1 ? "it" : "one of them"
            return ("\(who): \(which) may have the camera open.", remedy)
        }
        guard !node.holders.isEmpty else { return ("No process has it open now.", nil) }
        return ("Only tintyped has it open.", "Let each camera of the configuration name a device of its own.")
    }

    private static func words(_ holders: [NodeHolder]) -> (who: String, remedy: String) {
        let who = holders.map(\.description).joined(separator: ", ")
        let one = holders.count == 1 ? holders[0].command : "these"
        return ("It is open in \(who).", "End \(one), or have it use another camera.")
    }

    // MARK: - Frames

    private static func shutterClosed(of camera: String) -> Finding {
        let detail = "The camera's privacy shutter is closed: its control privacy (V4L2_CID_PRIVACY) is set."
        let remedy = "Open the shutter or press its key."
        return Finding(code: "shutter-closed", camera: camera, detail: detail, remedy: remedy)
    }

    private static func damage(_ examination: Examination) -> Finding? {
        let (frames, pictures) = (examination.frames, examination.pictures)
        let kinds = [
            (frames.flagged, "with the driver's error flag"), (frames.short, "cut short"),
            (UInt64(pictures.corrupt), "not whole"),
        ]
        let counts = kinds.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        guard !counts.isEmpty else { return nil }
        let detail = "Of \(CountText.text(frames.captured, "frame")): \(counts)."
        let remedy = "Try another cable and another port, without a hub, then a lower rate or a smaller size."
        return Finding(code: "damaged-frames", camera: examination.camera, detail: detail, remedy: remedy)
    }

    private static func picture(_ examination: Examination) -> Finding? {
        let (camera, pictures) = (examination.camera, examination.pictures)
        if pictures.examined > 0, pictures.black == pictures.examined {
            let detail = "The picture is dark: 99 % of its pixels have luma under \(ImageDefect.darkLuma) of 255."
            return Finding(code: "dark", camera: camera, detail: detail, remedy: CameraAlarm.black.remedy(for: camera))
        }
        // Fewer could be coincidence. The first picture may have had no predecessor to compare with.
        guard pictures.examined >= 5, pictures.frozen >= pictures.examined - 1 else { return nil }
        let equal = "\(pictures.examined) are equal, and a sensor's noise would make them differ"
        let detail = "The picture does not change: \(equal)."
        return Finding(code: "frozen", camera: camera, detail: detail, remedy: CameraAlarm.frozen.remedy(for: camera))
    }
}

struct DoctorReport: Encodable {
    var findings: [Finding] = []
    var healthyCameras: [String] = []
    /// Examined cameras without findings that gave no frame, as their limit of silence allows.
    var silentCameras: [String] = []

    var isHealthy: Bool { findings.isEmpty }

    var text: PrintedText {
        var text: PrintedText = ""
        for finding in findings {
            let camera = finding.camera.map { "\($0): " } ?? ""
            text += "\(camera)\(finding.code): \(finding.detail)\n  remedy: \(finding.remedy)\n"
        }
        for name in healthyCameras { text += "\(name): healthy\n" }
        for name in silentCameras {
            text += "\(name): no frame came, and its limit of silence is longer than the examination\n"
        }
        return text
    }

    private enum CodingKeys: String, CodingKey {
        case healthy, findings, silent
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isHealthy, forKey: .healthy)
        try container.encode(findings, forKey: .findings)
        try container.encode(silentCameras, forKey: .silent)
    }
}

struct Finding: Hashable, Encodable {
    /// Code from tintype(1) or of the daemon's problem; stable, for scripts.
    let code: String
    /// Nil if the finding concerns no particular camera.
    var camera: String?
    let detail: String
    let remedy: String
}
