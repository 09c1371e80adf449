// SPDX-License-Identifier: Apache-2.0

/// The doctor's findings in all of its rounds; its JSON is the output of `--json`.
struct DoctorReport: Encodable {
    /// A finding, and in how many rounds it was there.
    struct Entry: Encodable {
        /// The camera; nil where it is not about one.
        let camera: String?
        /// The finding; evidence and words are those of the last time.
        fileprivate(set) var finding: Finding
        /// Rounds in which it was found.
        fileprivate(set) var occurred: Int

        private enum CodingKeys: String, CodingKey {
            case camera, occurred
        }

        /// Writes all of it as one object.
        func encode(to encoder: any Encoder) throws {
            try finding.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(camera, forKey: .camera)
            try container.encode(occurred, forKey: .occurred)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case healthy, rounds, findings, daemon, cameras
    }

    /// Rounds so far.
    private(set) var rounds = 0
    /// All findings of all rounds, in the order in which they first came up.
    private(set) var findings: [Entry] = []
    /// The observations of the last round.
    private(set) var last: DoctorEvidence?

    /// Whether nothing was found in any round.
    var isHealthy: Bool { findings.isEmpty }

    /// Adds one round.
    mutating func add(_ evidence: DoctorEvidence) {
        rounds += 1
        last = evidence
        for entry in Diagnosis.entries(of: evidence) {
            if let index = findings.firstIndex(where: {
                $0.camera == entry.camera && $0.finding.code == entry.finding.code
            }) {
                findings[index].finding = entry.finding
                findings[index].occurred += 1
            } else {
                findings.append(Entry(camera: entry.camera, finding: entry.finding, occurred: 1))
            }
        }
    }

    /// Writes verdict, findings and the evidence of the last round.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isHealthy, forKey: .healthy)
        try container.encode(rounds, forKey: .rounds)
        try container.encode(findings, forKey: .findings)
        try container.encodeIfPresent(last?.daemon, forKey: .daemon)
        try container.encode(last?.cameras ?? [], forKey: .cameras)
    }
}

/// One thing that is wrong, what it is concluded from, and what can be done about it.
struct Finding: Hashable, Encodable {
    /// The kind of finding; stable, for scripts.
    enum Code: String, Hashable, Encodable, CaseIterable {
        /// The daemon does not answer.
        case daemonUnreachable = "daemon-unreachable"
        /// The file system of a spool is nearly full.
        case spoolLow = "spool-low"
        /// A spool has no room for pictures.
        case spoolFull = "spool-full"
        /// A spool cannot be used.
        case spoolUnavailable = "spool-unavailable"
        /// The stream of a camera breaks off and comes back again and again.
        case cameraDegraded = "camera-degraded"
        /// The last stills of a camera failed.
        case stillsFail = "stills-fail"
        /// A schedule could not publish its last picture.
        case notPublished = "not-published"
        /// There is no camera to look at.
        case noCamera = "no-camera"
        /// The camera's node is not there.
        case nodeMissing = "node-missing"
        /// The file is no device node.
        case noDevice = "no-device"
        /// The node's owner, group or mode keep the daemon away.
        case denied
        /// Something other than the node's mode keeps the daemon away.
        case restricted
        /// Another program uses the camera.
        case busy
        /// The camera went away.
        case deviceLost = "device-lost"
        /// The camera does not answer as it should, or its driver refuses.
        case cameraFault = "camera-fault"
        /// The camera needs long to its first frame, or has given none yet.
        case slowToStart = "slow-to-start"
        /// A driver call does not return.
        case driverStuck = "driver-stuck"
        /// The camera offers no format that can be used, or not the one that is configured.
        case formatUnsupported = "format-unsupported"
        /// The stream cannot be started for lack of USB bandwidth.
        case usbBandwidth = "usb-bandwidth"
        /// The input has no signal.
        case noSignal = "no-signal"
        /// The stream runs and no frame comes any more.
        case noFrames = "no-frames"
        /// The stream broke off and came back.
        case interrupted
        /// Frames come with the driver's error flag, cut short or as no picture.
        case damagedFrames = "damaged-frames"
        /// The privacy shutter is closed.
        case shutterClosed = "shutter-closed"
        /// The picture is dark all over.
        case dark
        /// The picture shows one uniform tone.
        case uniform
        /// The picture does not change at all.
        case frozen
        /// Frames are lost between the sensor and the daemon.
        case droppedFrames = "dropped-frames"
        /// Frames come at a lower rate than the driver granted.
        case slow
        /// The daemon would not or could not examine the camera.
        case notExamined = "not-examined"
    }

    let code: Code
    /// The fault, the evidence for it and the remedy, in a sentence or two each.
    let detail, evidence, remedy: String

    init(_ code: Code, _ detail: String, evidence: String, remedy: String) {
        self.code = code
        self.detail = detail
        self.evidence = evidence
        self.remedy = remedy
    }
}
