// SPDX-License-Identifier: Apache-2.0
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

/// One branch of the decision tree: what is seen, and what has to be concluded.
struct DiagnosisCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let evidence: CameraEvidence
    var daemon = DiagnosisCase.running
    let codes: [Finding.Code]
    /// Words that evidence or remedy of the first finding have to contain.
    var words: [String] = []

    static let running = DaemonEvidence(
        socket: "/s",
        version: "1",
        pid: 7,
        user: "tintype",
        groups: ["tintype", "cams"]
    )
    static let stopped = DaemonEvidence(socket: "/s", detail: "There is no socket at /s.", remedy: "Start it.")

    init(
        _ description: String,
        _ evidence: CameraEvidence,
        daemon: DaemonEvidence = DiagnosisCase.running,
        _ codes: [Finding.Code],
        _ words: String...
    ) {
        testDescription = description
        self.evidence = evidence
        self.daemon = daemon
        self.codes = codes
        self.words = words
    }

    /// A camera whose examination is that of a healthy one, changed by `change`.
    static func frames(_ change: (inout Examination) -> Void) -> CameraEvidence {
        CameraEvidence(camera: "front", node: node(), examination: DiagnosisTests.examination(change))
    }

    /// A camera that the daemon could not use.
    static func problem(
        _ code: ProblemCode,
        _ node: NodeEvidence? = node(),
        _ change: (inout Examination) -> Void = { _ in }
    ) -> CameraEvidence {
        CameraEvidence(
            camera: "front",
            node: node,
            examination: DiagnosisTests.examination { examination in
                examination.frames = FrameTally()
                examination.pictures = PictureTally()
                examination.problem = Problem(code, "VIDIOC_X on /dev/video0: no.", remedy: "Do something.")
                change(&examination)
            }
        )
    }

    /// A node as it should be, changed by `change`.
    static func node(_ change: (inout NodeEvidence) -> Void = { _ in }) -> NodeEvidence {
        var node = NodeEvidence(path: "/dev/video0")
        (node.owner, node.group, node.mode, node.daemonMayOpen) = ("root", "video", "0660", true)
        change(&node)
        return node
    }

    /// A node that these processes have open.
    static func held(by holders: NodeHolder..., unseen: Int = 0) -> NodeEvidence {
        node { node in
            node.holders = holders
            node.unseenProcesses = unseen
        }
    }
}

struct DiagnosisTests {
    private static let daemonItself = NodeHolder(pid: 7, command: "tintyped", user: "tintype", isDaemon: true)
    private static let holder = NodeHolder(pid: 812, command: "v4l2-ctl", user: "root", isDaemon: false)
    private static let other = NodeHolder(pid: 813, command: "ffmpeg", user: "ann", isDaemon: false)

    /// What a healthy camera shows, changed by `change`.
    static func examination(_ change: (inout Examination) -> Void = { _ in }) -> Examination {
        var examination = Examination(
            camera: "front",
            identity: Sample.camera.identity,
            authorization: .authorized,
            format: Sample.camera.format,
            tookMs: Milliseconds(.seconds(1)),
            phasesMs: ExaminationPhases(open: .milliseconds(20), firstFrame: .milliseconds(50))
        )
        examination.frames.captured = 30
        examination.frames.rate = 29.9
        examination.pictures.examined = 30
        examination.pictures.changed = 29
        (examination.pictures.meanLuma, examination.pictures.darkest, examination.pictures.brightest) = (112, 3, 240)
        change(&examination)
        return examination
    }

    private static func dark(_ examination: inout Examination) {
        (examination.pictures.meanLuma, examination.pictures.darkest, examination.pictures.brightest) = (12, 0, 47)
    }

    static let cases: [DiagnosisCase] = ofNodes + ofProblems + ofFrames

    // MARK: - Without a word of the daemon

    private static let ofNodes: [DiagnosisCase] = [
        DiagnosisCase("a node as it should be", CameraEvidence(camera: "video0", node: DiagnosisCase.node()), []),
        DiagnosisCase("nothing known at all", CameraEvidence(camera: "front"), []),
        DiagnosisCase(
            "no node",
            CameraEvidence(camera: "video9", node: DiagnosisCase.node { $0.isThere = false }),
            daemon: DiagnosisCase.stopped,
            [.nodeMissing],
            "There is nothing at /dev/video0.",
            "Plug the camera in"
        ),
        DiagnosisCase(
            "a file in the place of a node",
            CameraEvidence(camera: "/etc/passwd", node: DiagnosisCase.node { $0.isDevice = false }),
            [.noDevice],
            "not a character device"
        ),
        DiagnosisCase(
            "a node that the daemon's user may not open",
            CameraEvidence(camera: "video0", node: DiagnosisCase.node { $0.daemonMayOpen = false }),
            [.denied],
            "root:video and has mode 0660",
            "runs as tintype in tintype, cams",
            "usermod -aG video tintype"
        ),
        DiagnosisCase(
            "a node that its group may not open either",
            CameraEvidence(
                camera: "video0",
                node: DiagnosisCase.node { node in
                    node.daemonMayOpen = false
                    node.mode = "0600"
                }
            ),
            [.denied],
            "mode 0600",
            "MODE=\"0660\""
        ),
        DiagnosisCase(
            "a node of which nobody knows whether the daemon may open it",
            CameraEvidence(camera: "video0", node: DiagnosisCase.node { $0.daemonMayOpen = nil }),
            daemon: DiagnosisCase.stopped,
            []
        ),
        DiagnosisCase(
            "a camera that the daemon knows no more",
            CameraEvidence(
                camera: "video3",
                failure: Problem(.cameraNotFound, "There is no camera “video3”.", remedy: "Use another.")
            ),
            [.nodeMissing],
            "There is no camera “video3”."
        ),
        DiagnosisCase(
            "a daemon that refuses",
            CameraEvidence(
                camera: "front",
                node: DiagnosisCase.node { $0.daemonMayOpen = false },
                failure: Problem(.accessDenied, "You may not.", remedy: "Ask.")
            ),
            [.notExamined],
            "You may not.",
            "Ask."
        ),
    ]

    // MARK: - What the daemon met

    private static let ofProblems: [DiagnosisCase] = [
        DiagnosisCase(
            "busy, by another program",
            DiagnosisCase.problem(.cameraBusy, DiagnosisCase.held(by: daemonItself, holder, unseen: 4)),
            [.busy],
            "VIDIOC_X on /dev/video0: no.",
            "It is open in v4l2-ctl (pid 812, user root).",
            "End v4l2-ctl"
        ),
        DiagnosisCase(
            "busy, by two",
            DiagnosisCase.problem(.cameraBusy, DiagnosisCase.held(by: holder, other)),
            [.busy],
            "v4l2-ctl (pid 812, user root), ffmpeg (pid 813, user ann)",
            "End these"
        ),
        DiagnosisCase(
            "busy, by somebody who cannot be seen",
            DiagnosisCase.problem(.cameraBusy, DiagnosisCase.held(by: daemonItself, unseen: 90)),
            [.busy],
            "90 processes of other users could not be inspected",
            "as root"
        ),
        DiagnosisCase(
            "busy, by the daemon itself",
            DiagnosisCase.problem(.cameraBusy, DiagnosisCase.held(by: daemonItself)),
            [.busy],
            "Only tintyped has it open.",
            "a device of its own"
        ),
        DiagnosisCase(
            "busy, and free by now",
            DiagnosisCase.problem(.cameraBusy, DiagnosisCase.held()),
            [.busy],
            "No process has it open now.",
            "Do something."
        ),
        DiagnosisCase("busy without a node", DiagnosisCase.problem(.cameraBusy, nil), [.busy], "Do something."),
        DiagnosisCase(
            "denied",
            DiagnosisCase.problem(.cameraDenied),
            [.denied],
            "VIDIOC_X",
            "root:video and has mode 0660",
            "usermod -aG video tintype"
        ),
        DiagnosisCase("denied without a node", DiagnosisCase.problem(.cameraDenied, nil), [.denied], "Do something."),
        DiagnosisCase(
            "restricted",
            DiagnosisCase.problem(.cameraRestricted),
            [.restricted],
            "VIDIOC_X",
            "Do something."
        ),
        DiagnosisCase(
            "lost, with its node",
            DiagnosisCase.problem(.deviceLost, DiagnosisCase.node { $0.isThere = false }),
            [.nodeMissing],
            "VIDIOC_X",
            "journalctl -k"
        ),
        DiagnosisCase("never there", DiagnosisCase.problem(.deviceLost, nil), [.nodeMissing], "VIDIOC_X"),
        DiagnosisCase("lost, and back", DiagnosisCase.problem(.deviceLost), [.deviceLost], "VIDIOC_X"),
        DiagnosisCase(
            "refused by its driver",
            DiagnosisCase.problem(.cameraFault) { $0.phasesMs = ExaminationPhases() },
            [.cameraFault],
            "VIDIOC_X"
        ),
        DiagnosisCase(
            "a stream that has given no frame yet",
            DiagnosisCase.problem(.cameraFault),
            [.slowToStart],
            "VIDIOC_X",
            "Do something."
        ),
        DiagnosisCase("a driver that hangs", DiagnosisCase.problem(.driverStuck), [.driverStuck], "VIDIOC_X"),
        DiagnosisCase(
            "no format that can be used",
            DiagnosisCase.problem(.configurationUnsupported),
            [.formatUnsupported],
            "VIDIOC_X"
        ),
        DiagnosisCase("no bandwidth", DiagnosisCase.problem(.usbBandwidth), [.usbBandwidth], "VIDIOC_X"),
        DiagnosisCase("no signal", DiagnosisCase.problem(.noSignal), [.noSignal], "VIDIOC_X"),
        DiagnosisCase("no first frame in time", DiagnosisCase.problem(.deadlineExceeded), [.slowToStart], "VIDIOC_X"),
        DiagnosisCase(
            "no frames any more",
            DiagnosisCase.problem(.deadlineExceeded) { $0.frames.captured = 12 },
            [.noFrames],
            "VIDIOC_X"
        ),
        DiagnosisCase("damaged frames only", DiagnosisCase.problem(.corruptOnly), [.damagedFrames], "VIDIOC_X"),
        DiagnosisCase("anything else", DiagnosisCase.problem(.stopping), [.notExamined], "VIDIOC_X", "Do something."),
    ]

    // MARK: - What the frames show

    private static let ofFrames: [DiagnosisCase] = [
        DiagnosisCase("all is well", DiagnosisCase.frames { _ in }, []),
        DiagnosisCase(
            "all is well, though the node looks closed from here",
            CameraEvidence(
                camera: "front",
                node: DiagnosisCase.node { node in
                    node.isThere = false
                    node.daemonMayOpen = false
                },
                examination: examination()
            ),
            []
        ),
        DiagnosisCase(
            "error flags",
            DiagnosisCase.frames { $0.frames.flagged = 1 },
            [.damagedFrames],
            "Of 30 frames: 1 with the driver's error flag.",
            "another cable"
        ),
        DiagnosisCase(
            "every kind of damage is one cause, and slowness its consequence",
            DiagnosisCase.frames { examination in
                examination.frames.flagged = 4
                examination.frames.short = 3
                examination.pictures.corrupt = 2
                examination.frames.interrupted = 1
                examination.frames.rate = 3
            },
            [.damagedFrames],
            "4 with the driver's error flag, 3 cut short, 2 that are not whole pictures"
        ),
        DiagnosisCase(
            "nothing but damage",
            DiagnosisCase.frames { examination in
                examination.frames.flagged = 30
                examination.pictures = PictureTally()
            },
            [.damagedFrames]
        ),
        DiagnosisCase(
            "interrupted",
            DiagnosisCase.frames { $0.frames.interrupted = 1 },
            [.interrupted],
            "broke off once in 1 s"
        ),
        DiagnosisCase(
            "a closed shutter explains the dark",
            DiagnosisCase.frames { examination in
                dark(&examination)
                examination.shutterClosed = true
                examination.pictures.changed = 0
            },
            [.shutterClosed],
            "V4L2_CID_PRIVACY"
        ),
        DiagnosisCase(
            "a first frame that comes late",
            DiagnosisCase.frames { $0.phasesMs.firstFrame = Milliseconds(.milliseconds(4100)) },
            [.slowToStart],
            "Its first frame came after 4.1 s."
        ),
        DiagnosisCase(
            "a first frame that is just not late",
            DiagnosisCase.frames { $0.phasesMs.firstFrame = Milliseconds(.seconds(2)) },
            []
        ),
        DiagnosisCase("an open shutter", DiagnosisCase.frames { $0.shutterClosed = false }, []),
        DiagnosisCase(
            "dark, which explains that it is frozen and slow",
            DiagnosisCase.frames { examination in
                dark(&examination)
                examination.pictures.changed = 0
                examination.frames.rate = 7.5
            },
            [.dark],
            "Luma is 12.0 of 255 on average; 98 % of the pixels have 0 to 47"
        ),
        DiagnosisCase("dim, but not dark", DiagnosisCase.frames { $0.pictures.brightest = 48 }, []),
        DiagnosisCase(
            "one tone",
            DiagnosisCase.frames { ($0.pictures.darkest, $0.pictures.brightest) = (120, 127) },
            [.uniform],
            "120 to 127"
        ),
        DiagnosisCase(
            "almost one tone",
            DiagnosisCase.frames { ($0.pictures.darkest, $0.pictures.brightest) = (120, 128) },
            []
        ),
        DiagnosisCase(
            "frozen",
            DiagnosisCase.frames { $0.pictures.changed = 0 },
            [.frozen],
            "30 pictures are equal in every pixel"
        ),
        DiagnosisCase(
            "too few pictures to call it frozen",
            DiagnosisCase.frames { ($0.pictures.examined, $0.pictures.changed) = (4, 0) },
            []
        ),
        DiagnosisCase("one change is enough", DiagnosisCase.frames { $0.pictures.changed = 1 }, []),
        DiagnosisCase(
            "damage and darkness are two causes",
            DiagnosisCase.frames { examination in
                dark(&examination)
                examination.frames.short = 1
            },
            [.damagedFrames, .dark]
        ),
        DiagnosisCase(
            "slow",
            DiagnosisCase.frames { $0.frames.rate = 23.9 },
            [.slow],
            "23.9 frames a second came, 30.0 were granted.",
            "None was lost",
            "more light"
        ),
        DiagnosisCase("not quite as fast as granted", DiagnosisCase.frames { $0.frames.rate = 24 }, []),
        DiagnosisCase("no rate to compare", DiagnosisCase.frames { $0.frames.rate = nil }, []),
        DiagnosisCase(
            "no granted rate to compare with",
            DiagnosisCase.frames { examination in
                examination.format?.interval = nil
                examination.frames.rate = 3
            },
            []
        ),
        DiagnosisCase(
            "slow because frames are lost on the way",
            DiagnosisCase.frames { examination in
                examination.frames.rate = 15
                examination.frames.sequenceGaps = 30
            },
            [.droppedFrames],
            "30 of 60 frames were left out. 15.0 frames a second came",
            "USB bus"
        ),
        DiagnosisCase("a few lost frames", DiagnosisCase.frames { $0.frames.sequenceGaps = 3 }, []),
        DiagnosisCase("more than a few", DiagnosisCase.frames { $0.frames.sequenceGaps = 4 }, [.droppedFrames]),
    ]

    @Test(arguments: cases)
    func `every branch of the tree`(_ branch: DiagnosisCase) throws {
        let findings = Diagnosis.findings(of: branch.evidence, branch.daemon)
        #expect(findings.map(\.code) == branch.codes)
        let text = findings.first.map { "\($0.detail) \($0.evidence) \($0.remedy)" } ?? ""
        for words in branch.words { #expect(text.contains(words), "\(text)") }
        for finding in findings {
            for sentence in [finding.detail, finding.evidence, finding.remedy] {
                #expect(sentence.hasSuffix(".") && sentence.first?.isLowercase != true, "\(sentence)")
            }
        }
    }

    @Test func `the table has every finding that a camera can have`() {
        let concluded = Set(Self.cases.flatMap(\.codes))
        // The daemon tells these in its health; DoctorReportTests has them.
        let told: Set<Finding.Code> = [
            .spoolLow, .spoolFull, .spoolUnavailable, .cameraDegraded, .stillsFail, .notPublished,
        ]
        let others = Set(Finding.Code.allCases).subtracting(concluded).subtracting(told)
        #expect(others == [.daemonUnreachable, .noCamera])
    }

    @Test func `a daemon that does not answer is one finding, and its nodes are looked at all the same`() {
        let missing = CameraEvidence(camera: "video9", node: DiagnosisCase.node { $0.isThere = false })
        let entries = Diagnosis.entries(of: DoctorEvidence(daemon: DiagnosisCase.stopped, cameras: [missing]))
        #expect(entries.map(\.finding.code) == [.daemonUnreachable, .nodeMissing])
        #expect(entries.map(\.camera) == [nil, "video9"])
        #expect(entries.first?.finding.evidence == "There is no socket at /s.")
        #expect(entries.first?.finding.remedy == "Start it.")
    }

    @Test(arguments: [
        (DiagnosisCase.running, [Finding.Code.noCamera], "The daemon has none"),
        (DiagnosisCase.stopped, [.daemonUnreachable, .noCamera], "/sys/class/video4linux"),
    ])
    func `no camera at all is a finding`(daemon: DaemonEvidence, codes: [Finding.Code], words: String) {
        let entries = Diagnosis.entries(of: DoctorEvidence(daemon: daemon, cameras: []))
        #expect(entries.map(\.finding.code) == codes)
        #expect(entries.last?.finding.evidence.contains(words) == true)
    }
}
