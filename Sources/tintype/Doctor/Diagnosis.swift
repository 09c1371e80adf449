// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// From evidence to findings, one cause at a time.
///
/// A finding that explains others keeps them away: of a black picture it is not worth knowing that it does not change
/// either.
enum Diagnosis {
    /// Fewer equal pictures than this may be chance.
    static let fewestEqual = 5

    /// What an examination and a look at the camera's node tell; empty for a healthy camera.
    ///
    /// The node is nil where it is not there, or where the camera has none.
    static func findings(_ examination: Examination, _ node: NodeEvidence?) -> [Finding] {
        // No still is taken behind a closed shutter: the problem of those is no cause of its own.
        if examination.shutterClosed == true { return [shutterClosed(of: examination.camera)] }
        if let problem = examination.problem { return [finding(of: problem, examination.camera, node)] }
        return [damage(examination), picture(examination)].compactMap(\.self)
    }

    /// What a look at the node at `path` tells where no daemon answers; nil for nothing.
    static func finding(_ path: String, _ node: NodeEvidence?) -> Finding? {
        guard let node else { return nodeMissing(path, "There is no device at \(path).") }
        guard let remedy = Self.remedy(node.holders) else { return nil }
        return Finding(.busy, of: path, "Another program has \(path) open. \(words(node.holders))", remedy: remedy)
    }

    /// The finding about a machine without cameras.
    static func noCamera(_ detail: String) -> Finding { nodeMissing(nil, detail) }

    private static func nodeMissing(_ camera: String?, _ detail: String) -> Finding {
        Finding(
            .nodeMissing,
            of: camera,
            detail,
            remedy:
                "Plug the camera in; if it is, see why the kernel made no node for it (lsusb, sudo journalctl -k), and "
                + "whether the configuration names the right one."
        )
    }

    // MARK: - What the daemon met

    private static func finding(of problem: Problem, _ camera: String, _ node: NodeEvidence?) -> Finding {
        switch (problem.code, node) {
        case (.cameraBusy, let node?): busy(problem, camera, node)
        case (.cameraBusy, nil): Finding(.busy, of: camera, problem.detail, remedy: problem.remedy)
        case (.cameraDenied, _): denied(problem, camera, node)
        case (.deadlineExceeded, _): Finding(.noFrames, of: camera, problem.detail, remedy: problem.remedy)
        case (.deviceLost, nil), (.cameraNotFound, nil): nodeMissing(camera, problem.detail)
        default: Finding(problem, of: camera)
        }
    }

    private static func busy(_ problem: Problem, _ camera: String, _ node: NodeEvidence) -> Finding {
        let others = node.holders.filter { !$0.isDaemon }
        var (who, remedy) = ("No process has it open now.", problem.remedy)
        if let end = Self.remedy(others) {
            (who, remedy) = (words(others), end)
        } else if node.unseenProcesses > 0 {
            who =
                "\(node.unseenProcesses) processes of other users could not be inspected: one of them may have it open."
            remedy = "Run “tintype doctor” as root to see the program that has it open, and end it."
        } else if !node.holders.isEmpty {
            who = "Only tintyped has it open."
            remedy = "Let each camera of the configuration name a device of its own."
        }
        return Finding(.busy, of: camera, "\(problem.detail) \(who)", remedy: remedy)
    }

    private static func words(_ holders: [NodeHolder]) -> String {
        "It is open in \(holders.map(\.description).joined(separator: ", "))."
    }

    /// What to do about the programs that have a node open; nil where there are none.
    private static func remedy(_ holders: [NodeHolder]) -> String? {
        guard let first = holders.first else { return nil }
        return "End \(holders.count == 1 ? first.command : "these"), or have it use another camera."
    }

    private static func denied(_ problem: Problem, _ camera: String, _ node: NodeEvidence?) -> Finding {
        var (detail, remedy) = (problem.detail, problem.remedy)
        if let node {
            detail += " \(node.path) belongs to \(node.owner):\(node.group) and has mode \(node.mode)."
            if let daemon = node.daemon {
                detail += " tintyped runs as \(daemon.user) in \(daemon.groups.joined(separator: ", "))."
                // A group helps only where the mode lets the group in.
                if node.group != "root", node.mode.suffix(2).first.map({ "67".contains($0) }) == true {
                    remedy =
                        "Add it to the group (sudo usermod -aG \(node.group) \(daemon.user)) and start the daemon again."
                } else {
                    remedy =
                        "Let the group video read and write the node (a udev rule with GROUP=\"video\", MODE=\"0660\")."
                }
            }
        }
        return Finding(.denied, of: camera, detail, remedy: remedy)
    }

    // MARK: - What the frames show

    private static func shutterClosed(of camera: String) -> Finding {
        Finding(
            .shutterClosed,
            of: camera,
            "The camera's privacy shutter is closed: its control privacy (V4L2_CID_PRIVACY) is set.",
            remedy: "Open the shutter or press its key."
        )
    }

    /// Whether frames arrive whole.
    private static func damage(_ examination: Examination) -> Finding? {
        let (frames, pictures) = (examination.frames, examination.pictures)
        let kinds = [
            (frames.flagged, "with the driver's error flag"), (frames.short, "cut short"),
            (UInt64(pictures.corrupt), "that are not whole pictures"),
        ]
        let counts = kinds.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        guard !counts.isEmpty else { return nil }
        return Finding(
            .damagedFrames,
            of: examination.camera,
            "Of \(frames.captured) frames: \(counts).",
            remedy: "Try another cable and another port, without a hub, then a lower rate or a smaller size."
        )
    }

    /// Whether the picture shows something.
    private static func picture(_ examination: Examination) -> Finding? {
        let (camera, pictures) = (examination.camera, examination.pictures)
        if pictures.examined > 0, pictures.black == pictures.examined {
            return Finding(
                .dark,
                of: camera,
                "The picture is dark: 99 % of its pixels have luma under \(Appearance.darkLuma) of 255.",
                remedy: "Remove the lens cap or open the shutter, add light, and check exposure and gain."
            )
        }
        // The first of them may have had none before it to equal.
        guard pictures.examined >= Self.fewestEqual, pictures.frozen >= pictures.examined - 1 else { return nil }
        return Finding(
            .frozen,
            of: camera,
            "The picture does not change: \(pictures.examined) are equal, and a sensor's noise would make them differ.",
            remedy: "Unplug the camera and plug it in again; a virtual camera is fed a still picture."
        )
    }
}
