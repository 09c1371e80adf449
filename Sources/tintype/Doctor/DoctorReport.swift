// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The doctor's findings; its JSON is the output of `--json`.
struct DoctorReport: Encodable {
    var findings: [Finding] = []
    /// The cameras that were examined without a finding.
    var healthyCameras: [String] = []

    var isHealthy: Bool { findings.isEmpty }

    var text: PrintedText {
        let findings = findings.map { finding -> PrintedText in
            let camera = finding.camera.map { "\($0): " } ?? ""
            return "\(camera)\(finding.code): \(finding.detail)\n  remedy: \(finding.remedy)\n"
        }
        return PrintedText(findings + healthyCameras.map { name -> PrintedText in "\(name): healthy\n" })
    }

    private enum CodingKeys: String, CodingKey {
        case healthy, findings
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isHealthy, forKey: .healthy)
        try container.encode(findings, forKey: .findings)
    }
}

/// One thing that is wrong, and what can be done about it.
struct Finding: Hashable, Encodable {
    /// The kind of finding, of those in tintype(1), or the code of the daemon's problem; stable, for scripts.
    let code: String
    /// The camera; nil where it is not about one.
    var camera: String?
    /// The fault and the evidence for it.
    let detail: String
    let remedy: String
}
