// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The doctor's findings; its JSON is the output of `--json`.
struct DoctorReport: Encodable {
    var findings: [Finding] = []
    /// The cameras that were examined without a finding.
    var healthyCameras: [String] = []

    /// Whether nothing was found.
    var isHealthy: Bool { findings.isEmpty }

    private enum CodingKeys: String, CodingKey {
        case healthy, findings
    }

    /// Writes verdict and findings.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isHealthy, forKey: .healthy)
        try container.encode(findings, forKey: .findings)
    }
}

/// One thing that is wrong, and what can be done about it.
struct Finding: Hashable, Encodable {
    /// What the doctor finds itself; stable, for scripts.
    enum Code: String, CaseIterable {
        /// The daemon does not answer.
        case daemonUnreachable = "daemon-unreachable"
        /// The camera's node is not there, or no camera is.
        case nodeMissing = "node-missing"
        /// The node's owner, group or mode keep the daemon away.
        case denied
        /// Another program uses the camera.
        case busy
        /// No frame comes, or none comes any more.
        case noFrames = "no-frames"
        /// Frames come with the driver's error flag, cut short or as no whole picture.
        case damagedFrames = "damaged-frames"
        /// The privacy shutter is closed.
        case shutterClosed = "shutter-closed"
        /// The picture is dark all over.
        case dark
        /// The picture does not change at all.
        case frozen
    }

    /// The camera; nil where it is not about one.
    let camera: String?
    /// The kind of finding: a ``Code``, or the code of the daemon's problem.
    let code: String
    /// The fault and the evidence for it.
    let detail: String
    let remedy: String

    init(_ code: Code, of camera: String? = nil, _ detail: String, remedy: String) {
        self.camera = camera
        self.code = code.rawValue
        self.detail = detail
        self.remedy = remedy
    }

    /// A problem of `camera` in the daemon's words.
    init(_ problem: Problem, of camera: String) {
        self.camera = camera
        code = problem.code.rawValue
        detail = problem.detail
        remedy = problem.remedy
    }
}
