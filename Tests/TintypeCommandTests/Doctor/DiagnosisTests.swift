// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

/// One branch of the decision tree: what is seen, and what has to be concluded.
struct DiagnosisCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let examination: Examination
    let node: NodeEvidence?
    let codes: [String]
    /// Words that detail or remedy of the first finding have to contain.
    let words: [String]

    /// A camera that the daemon could not use.
    init(
        _ description: String,
        _ code: ProblemCode,
        node: NodeEvidence? = DiagnosisCase.node(),
        _ found: String,
        _ words: String...
    ) {
        testDescription = description
        var examination = Examination(camera: "front")
        examination.problem = Problem(code, "VIDIOC_X on /dev/video0: no.", remedy: "Do something.")
        self.examination = examination
        self.node = node
        codes = [found]
        self.words = words
    }

    /// A camera whose examination is that of a healthy one, changed by `change`.
    init(
        _ description: String,
        _ codes: [Finding.Code],
        _ words: String...,
        change: (inout Examination) -> Void
    ) {
        testDescription = description
        examination = DiagnosisTests.examination(change)
        node = Self.node()
        self.codes = codes.map(\.rawValue)
        self.words = words
    }

    /// A node as it should be, with this mode, that these processes have open.
    static func node(_ holders: NodeHolder..., unseen: Int = 0, mode: String = "0660") -> NodeEvidence {
        NodeEvidence(
            path: "/dev/video0",
            owner: "root",
            group: "video",
            mode: mode,
            daemon: ProcessTable.Account(user: "tintype", groups: ["tintype", "cams"]),
            holders: holders,
            unseenProcesses: unseen
        )
    }
}

struct DiagnosisTests {
    private static let daemonItself = NodeHolder(pid: 7, command: "tintyped", user: "tintype", isDaemon: true)
    private static let holder = NodeHolder(pid: 812, command: "v4l2-ctl", user: "root", isDaemon: false)
    private static let other = NodeHolder(pid: 813, command: "ffmpeg", user: "ann", isDaemon: false)

    /// What a healthy camera shows, changed by `change`.
    static func examination(_ change: (inout Examination) -> Void = { _ in }) -> Examination {
        var examination = Examination(camera: "front")
        examination.frames.captured = 30
        examination.pictures.examined = 30
        change(&examination)
        return examination
    }

    static let cases: [DiagnosisCase] = ofProblems + ofFrames

    private static let ofProblems: [DiagnosisCase] = [
        DiagnosisCase(
            "busy, by another program",
            .cameraBusy,
            node: DiagnosisCase.node(daemonItself, holder, unseen: 4),
            "busy",
            "VIDIOC_X on /dev/video0: no. It is open in v4l2-ctl (pid 812, user root).",
            "End v4l2-ctl"
        ),
        DiagnosisCase(
            "busy, by two",
            .cameraBusy,
            node: DiagnosisCase.node(holder, other),
            "busy",
            "v4l2-ctl (pid 812, user root), ffmpeg (pid 813, user ann)",
            "End these"
        ),
        DiagnosisCase(
            "busy, by somebody who cannot be seen",
            .cameraBusy,
            node: DiagnosisCase.node(daemonItself, unseen: 90),
            "busy",
            "90 processes of other users could not be inspected",
            "as root"
        ),
        DiagnosisCase(
            "busy, by the daemon itself",
            .cameraBusy,
            node: DiagnosisCase.node(daemonItself),
            "busy",
            "Only tintyped has it open.",
            "a device of its own"
        ),
        DiagnosisCase("busy, and free by now", .cameraBusy, "busy", "No process has it open now.", "Do something."),
        DiagnosisCase("busy without a node", .cameraBusy, node: nil, "busy", "/dev/video0: no. Do something."),
        DiagnosisCase(
            "denied to all but a group",
            .cameraDenied,
            "denied",
            "VIDIOC_X",
            "/dev/video0 belongs to root:video and has mode 0660. tintyped runs as tintype in tintype, cams.",
            "usermod -aG video tintype"
        ),
        DiagnosisCase(
            "denied to its group as well",
            .cameraDenied,
            node: DiagnosisCase.node(mode: "0600"),
            "denied",
            "mode 0600",
            "MODE=\"0660\""
        ),
        DiagnosisCase("denied without a node", .cameraDenied, node: nil, "denied", "VIDIOC_X", "Do something."),
        DiagnosisCase("lost, with its node", .deviceLost, node: nil, "node-missing", "VIDIOC_X", "journalctl -k"),
        DiagnosisCase("known no more", .cameraNotFound, node: nil, "node-missing", "VIDIOC_X"),
        DiagnosisCase("no frames", .deadlineExceeded, "no-frames", "VIDIOC_X", "Do something."),
        DiagnosisCase("no bandwidth", .usbBandwidth, "usb-bandwidth", "VIDIOC_X", "Do something."),
        DiagnosisCase("no signal", .noSignal, "no-signal", "VIDIOC_X", "Do something."),
        DiagnosisCase("lost, and back", .deviceLost, "device-lost", "VIDIOC_X", "Do something."),
        DiagnosisCase("a driver that hangs", .driverStuck, "driver-stuck", "VIDIOC_X", "Do something."),
    ]

    private static let ofFrames: [DiagnosisCase] = [
        DiagnosisCase("all is well", []) { _ in },
        DiagnosisCase("error flags", [.damagedFrames], "Of 30 frames: 1 with the driver's error flag.") { examination in
            examination.frames.flagged = 1
        },
        DiagnosisCase(
            "every kind of damage is one cause",
            [.damagedFrames],
            "4 with the driver's error flag, 3 cut short, 2 that are not whole pictures"
        ) { examination in
            examination.frames.flagged = 4
            examination.frames.short = 3
            examination.pictures.corrupt = 2
        },
        DiagnosisCase("nothing but damage", [.damagedFrames]) { examination in
            examination.frames.flagged = 30
            examination.pictures = PictureTally()
        },
        DiagnosisCase("a closed shutter explains the dark", [.shutterClosed], "V4L2_CID_PRIVACY") { examination in
            examination.pictures.black = 30
            examination.shutterClosed = true
        },
        DiagnosisCase("an open shutter", []) { $0.shutterClosed = false },
        DiagnosisCase("dark, which explains that it is frozen", [.dark], "under 48 of 255") { examination in
            examination.pictures.black = 30
            examination.pictures.frozen = 29
        },
        DiagnosisCase("dark at the start alone", []) { $0.pictures.black = 29 },
        DiagnosisCase("frozen", [.frozen], "30 are equal") { $0.pictures.frozen = 29 },
        DiagnosisCase("too few pictures to call it frozen", []) { examination in
            examination.pictures.examined = 4
            examination.pictures.frozen = 4
        },
        DiagnosisCase("one change is enough", []) { $0.pictures.frozen = 28 },
        DiagnosisCase("damage and darkness are two causes", [.damagedFrames, .dark]) { examination in
            examination.frames.short = 1
            examination.pictures.black = 30
        },
    ]

    @Test(arguments: cases)
    func `every branch of the tree`(_ branch: DiagnosisCase) throws {
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

    @Test func `the table has every finding that an examination can have`() {
        let concluded = Set(Self.cases.flatMap(\.codes))
        #expect(Set(Finding.Code.allCases.map(\.rawValue)).subtracting(concluded) == ["daemon-unreachable"])
    }

    @Test func `without a daemon a node is missing, in use or no finding`() throws {
        let missing = try #require(Diagnosis.finding("/dev/video9", nil))
        #expect(missing.code == "node-missing" && missing.detail == "There is no device at /dev/video9.")
        let busy = try #require(Diagnosis.finding("/dev/video0", DiagnosisCase.node(Self.holder)))
        #expect(busy.code == "busy" && busy.camera == "/dev/video0")
        #expect(busy.detail.hasSuffix("It is open in v4l2-ctl (pid 812, user root)."))
        #expect(Diagnosis.finding("/dev/video0", DiagnosisCase.node()) == nil)
    }
}
