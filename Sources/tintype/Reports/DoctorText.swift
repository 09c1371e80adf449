// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A doctor's report in readable lines.
enum DoctorText {
    static func text(_ report: DoctorReport) -> PrintedText {
        guard let last = report.last else { return "" }
        var text = daemon(last.daemon)
        text += findings(of: nil, report)
        let names = last.cameras.map(\.camera)
        // A camera of an earlier round that is not there any more.
        let gone = report.findings.compactMap(\.camera).filter { !names.contains($0) }
        for camera in last.cameras {
            text += "\n\(camera.camera): \(verdict(of: camera, report))\n"
            text += lines(of: camera).text(least: 10)
            text += findings(of: camera.camera, report)
        }
        for (index, camera) in gone.enumerated() where gone.firstIndex(of: camera) == index {
            text += "\n\(camera): gone\n\(findings(of: camera, report))"
        }
        return text
    }

    private static func daemon(_ daemon: DaemonEvidence) -> PrintedText {
        guard let version = daemon.version else { return "tintyped at \(daemon.socket): does not answer\n" }
        var parts: [String] = []
        if let pid = daemon.pid { parts.append("pid \(pid)") }
        if let user = daemon.user { parts.append("user \(user)") }
        if let groups = daemon.groups, !groups.isEmpty { parts.append("groups \(groups.joined(separator: " "))") }
        let who = parts.isEmpty ? "answers" : parts.joined(separator: ", ")
        let health = daemon.health.map { "\($0.status.rawValue), " } ?? ""
        return "tintyped \(version) at \(daemon.socket): \(health)\(who)\n"
    }

    private static func verdict(of camera: CameraEvidence, _ report: DoctorReport) -> String {
        let codes = report.findings.filter { $0.camera == camera.camera }.map(\.finding.code.rawValue)
        if !codes.isEmpty { return codes.joined(separator: ", ") }
        return camera.examination == nil ? "not examined" : "healthy"
    }

    private static func findings(of camera: String?, _ report: DoctorReport) -> PrintedText {
        let all = report.findings.filter { $0.camera == camera }.map { entry -> PrintedText in
            let often = report.rounds == 1 ? "" : " (in \(entry.occurred) of \(report.rounds) rounds)"
            return """
                  \(entry.finding.code.rawValue)\(often): \(entry.finding.detail)
                    evidence  \(entry.finding.evidence)
                    remedy    \(entry.finding.remedy)

                """
        }
        return PrintedText(all)
    }

    private static func lines(of camera: CameraEvidence) -> LabelledLines {
        var lines = LabelledLines()
        if let node = camera.node {
            lines.add("node", text(node))
            if !node.holders.isEmpty {
                lines.add("open in", node.holders.map(\.description).joined(separator: ", "))
            }
            if node.unseenProcesses > 0 {
                lines.add("", "\(node.unseenProcesses) processes could not be inspected; root can inspect all.")
            }
        }
        guard let examination = camera.examination else { return lines }
        lines.add("format", examination.format)
        lines.add("frames", text(examination))
        let pictures = examination.pictures
        if let mean = pictures.meanLuma, let darkest = pictures.darkest, let brightest = pictures.brightest {
            let changes = "\(pictures.changed) of \(pictures.examined) differ from the one before"
            lines.add("picture", "luma \(mean) on average, \(darkest) to \(brightest); \(changes)")
        }
        return lines
    }

    private static func text(_ node: NodeEvidence) -> String {
        guard node.isThere else { return "\(node.path): not there" }
        let name = node.name.map { " (\($0))" } ?? ""
        let access = node.mayOpen ? "" : ", which this user may not open"
        return "\(node.path)\(name): \(node.owner ?? ""):\(node.group ?? "") \(node.mode ?? "")\(access)"
    }

    private static func text(_ examination: Examination) -> String {
        var text = "\(examination.frames.captured) in \(examination.tookMs.spoken)"
        if let rate = examination.frames.rate { text += ", \(rate) a second" }
        if let open = examination.phasesMs.open {
            text += open.duration == .zero ? "; was open" : "; opened in \(open.spoken)"
        }
        if let first = examination.phasesMs.firstFrame { text += ", first after \(first.spoken)" }
        return text
    }
}
