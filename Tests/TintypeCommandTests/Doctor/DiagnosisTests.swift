// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import tintype

/// A branch of the decision tree: evidence and expected findings.
struct DiagnosisCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let examination: Examination
    let node: NodeEvidence?
    let codes: [String]
    /// Expected words in the detail or remedy of the first finding.
    let words: [String]

    /// An examination with a problem of the daemon, or of a healthy camera modified by `change`.
    init(
        _ description: String,
        problem code: ProblemCode? = nil,
        node: NodeEvidence? = DiagnosisCase.node(),
        _ codes: [String],
        _ words: [String] = [],
        change: (inout Examination) -> Void = { _ in }
    ) {
        testDescription = description
        var examination = DiagnosisTests.examination(change)
        examination.problem = code.map { Problem($0, "VIDIOC_X on /dev/video0: no.", remedy: "Do something.") }
        self.examination = examination
        self.node = node
        self.codes = codes
        self.words = words
    }

    /// A node with the default owner, opened by `holders`.
    static func node(_ holders: NodeHolder..., unseen: Int = 0, mode: String = "0660") -> NodeEvidence {
        NodeEvidence(
            path: "/dev/video0",
            owner: "root",
            group: "video",
            mode: mode,
            daemon: (user: "tintype", groups: ["tintype", "cams"]),
            holders: holders,
            unseenProcesses: unseen
        )
    }
}

struct DiagnosisTests {
    private static let daemonItself = NodeHolder(pid: 7, command: "tintyped", user: "tintype", isDaemon: true)
    private static let holder = NodeHolder(pid: 812, command: "v4l2-ctl", user: "root", isDaemon: false)
    private static let other = NodeHolder(pid: 813, command: "ffmpeg", user: "ann", isDaemon: false)

    private typealias Case = DiagnosisCase

    /// The examination of a healthy camera, modified by `change`.
    static func examination(_ change: (inout Examination) -> Void = { _ in }) -> Examination {
        var examination = Examination(camera: "front")
        examination.frames.captured = 30
        examination.pictures.examined = 30
        change(&examination)
        return examination
    }

    /// A problem of the daemon, the node of the camera, and code and words of the finding.
    private typealias ProblemCase = (name: String, of: ProblemCode, node: NodeEvidence?, code: String, words: [String])

    private static let ofProblems: [ProblemCase] = [
        (
            "busy, by another program", .cameraBusy, Case.node(daemonItself, holder, unseen: 4), "busy",
            ["VIDIOC_X on /dev/video0: no. It is open in v4l2-ctl (pid 812, user root).", "End v4l2-ctl"]
        ),
        (
            "busy, by two", .cameraBusy, Case.node(holder, other), "busy",
            ["v4l2-ctl (pid 812, user root), ffmpeg (pid 813, user ann)", "End these"]
        ),
        (
            "busy, by somebody who cannot be seen", .cameraBusy, Case.node(daemonItself, unseen: 90), "busy",
            ["90 processes of other users could not be inspected", "as root"]
        ),
        (
            "busy, by the daemon itself", .cameraBusy, Case.node(daemonItself), "busy",
            ["Only tintyped has it open.", "a device of its own"]
        ),
        ("busy, and free by now", .cameraBusy, Case.node(), "busy", ["No process has it open now.", "Do something."]),
        ("busy without a node", .cameraBusy, nil, "busy", ["/dev/video0: no. Do something."]),
        (
            "denied to all but a group", .cameraDenied, Case.node(), "denied",
            [
                "VIDIOC_X",
                "/dev/video0 belongs to root:video and has mode 0660. tintyped runs as tintype in tintype, cams.",
                "usermod -aG video tintype",
            ]
        ),
        (
            "denied to its group as well", .cameraDenied, Case.node(mode: "0600"), "denied",
            ["mode 0600", "MODE=\"0660\""]
        ),
        ("denied without a node", .cameraDenied, nil, "denied", ["VIDIOC_X", "Do something."]),
        ("lost, with its node", .deviceLost, nil, "node-missing", ["VIDIOC_X", "journalctl -k"]),
        ("known no more", .cameraNotFound, nil, "node-missing", ["VIDIOC_X"]),
        ("no frames", .deadlineExceeded, Case.node(), "no-frames", ["VIDIOC_X", "Do something."]),
        ("no bandwidth", .usbBandwidth, Case.node(), "usb-bandwidth", ["VIDIOC_X", "Do something."]),
        ("no signal", .noSignal, Case.node(), "no-signal", ["VIDIOC_X", "Do something."]),
        ("lost, and back", .deviceLost, Case.node(), "device-lost", ["VIDIOC_X", "Do something."]),
        ("a driver that hangs", .driverStuck, Case.node(), "driver-stuck", ["VIDIOC_X", "Do something."]),
    ]

    private static let ofFrames: [DiagnosisCase] = [
        Case("all is well", []),
        Case("error flags", ["damaged-frames"], ["Of 30 frames: 1 with the driver's error flag."]) {
            $0.frames.flagged = 1
        },
        Case(
            "every kind of damage is one cause",
            ["damaged-frames"],
            ["4 with the driver's error flag, 3 cut short, 2 not whole."]
        ) { ($0.frames.flagged, $0.frames.short, $0.pictures.corrupt) = (4, 3, 2) },
        Case("nothing but damage", ["damaged-frames"]) { ($0.frames.flagged, $0.pictures) = (30, PictureTally()) },
        Case("a closed shutter explains the dark", ["shutter-closed"], ["V4L2_CID_PRIVACY"]) {
            ($0.pictures.black, $0.shutterClosed) = (30, true)
        },
        Case("an open shutter", []) { $0.shutterClosed = false },
        Case("dark, which explains that it is frozen", ["dark"], ["under 48 of 255"]) {
            ($0.pictures.black, $0.pictures.frozen) = (30, 29)
        },
        Case("dark at the start alone", []) { $0.pictures.black = 29 },
        Case("frozen", ["frozen"], ["30 are equal"]) { $0.pictures.frozen = 29 },
        Case("too few pictures to call it frozen", []) { ($0.pictures.examined, $0.pictures.frozen) = (4, 4) },
        Case("one change is enough", []) { $0.pictures.frozen = 28 },
        Case("damage and darkness are two causes", ["damaged-frames", "dark"]) {
            ($0.frames.short, $0.pictures.black) = (1, 30)
        },
    ]

    static let cases =
        ofProblems.map { Case($0.name, problem: $0.of, node: $0.node, [$0.code], $0.words) } + ofFrames

    @Test(arguments: cases)
    func `every branch of the decision tree has its findings`(_ branch: DiagnosisCase) throws {
        let findings = Diagnosis.findings(branch.examination, branch.node)
        #expect(findings.map(\.code) == branch.codes)
        let text = findings.first.map { "\($0.detail) \($0.remedy)" } ?? ""
        for words in branch.words { #expect(text.contains(words), "\(text)") }
        for finding in findings {
            #expect(finding.camera == "front")
            for sentence in [finding.detail, finding.remedy] {
                #expect(sentence.hasSuffix(".") && sentence.first?.isLowercase != true, "\(sentence)")
            }
        }
    }

    @Test func `the report starts with the finding, also if other cameras are healthy`() {
        let finding = Finding(code: "dark", camera: "yard", detail: "The picture is dark.", remedy: "Add light.")
        let report = DoctorReport(findings: [finding], healthyCameras: ["back", "front"])
        let start = "yard: dark: The picture is dark.\n  remedy: Add light.\n"
        #expect(report.text.string == "\(start)back: healthy\nfront: healthy\n" && !report.isHealthy)
    }

    @Test func `a camera that may be silent for longer than the examination is not called healthy`() throws {
        let report = DoctorReport(healthyCameras: ["front"], silentCameras: ["gate"])
        let silent = "gate: no frame came, and its limit of silence is longer than the examination\n"
        #expect(report.text.string == "front: healthy\n\(silent)" && report.isHealthy)
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(json.contains(#""silent":["gate"]"#), "\(json)")
    }

    @Test func `without a daemon, a node is missing, in use or without findings`() throws {
        let missing = try #require(Diagnosis.finding("/dev/video9", nil))
        #expect(missing.code == "node-missing" && missing.detail == "There is no device at /dev/video9.")
        let busy = try #require(Diagnosis.finding("/dev/video0", DiagnosisCase.node(Self.holder)))
        #expect(busy.code == "busy" && busy.camera == "/dev/video0")
        #expect(busy.detail.hasSuffix("It is open in v4l2-ctl (pid 812, user root)."))
        #expect(Diagnosis.finding("/dev/video0", DiagnosisCase.node()) == nil)
    }
}
