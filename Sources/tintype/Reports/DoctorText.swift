// SPDX-License-Identifier: Apache-2.0

/// A doctor's report in readable lines.
enum DoctorText {
    static func text(_ report: DoctorReport) -> PrintedText {
        let findings = report.findings.map { finding -> PrintedText in
            let camera = finding.camera.map { "\($0): " } ?? ""
            return "\(camera)\(finding.code): \(finding.detail)\n  remedy: \(finding.remedy)\n"
        }
        return PrintedText(findings + report.healthyCameras.map { name -> PrintedText in "\(name): healthy\n" })
    }
}
