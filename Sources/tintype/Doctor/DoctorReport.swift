// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct DoctorReport: Encodable {
    var findings: [Finding] = []
    /// Examined cameras without findings.
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

struct Finding: Hashable, Encodable {
    /// Code from tintype(1) or of the daemon's problem; stable, for scripts.
    let code: String
    /// nil if the finding concerns no particular camera.
    var camera: String?
    let detail: String
    let remedy: String
}
