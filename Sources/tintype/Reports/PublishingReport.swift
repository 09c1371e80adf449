// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The results of one schedule of a camera, in lines of its status.
enum PublishingReport {
    /// As in `every 1m: 812 published, 3 missed (device-lost 3), next at …`, and a line for the last slots that were
    /// missed and one for what is wrong now.
    static func lines(_ status: PublishingStatus) -> [(name: String, value: String)] {
        var parts = ["\(status.published) published"]
        if let missed = status.missed, !missed.isEmpty {
            let reasons = missed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            parts.append("\(missed.values.reduce(0, +)) missed (\(reasons.joined(separator: ", ")))")
        }
        if let next = status.next { parts.append("next at \(next)") }
        var lines = [(name: "publishing", value: "\(status.schedule): \(parts.joined(separator: ", "))")]
        if let last = status.lastMissed?.last {
            let slots = last.count == 1 ? "at \(last.first)" : "\(last.count) from \(last.first) to \(last.last)"
            lines.append((name: "last missed", value: "\(slots): \(last.reason). \(last.detail)"))
        }
        if let problem = status.problem {
            lines.append((name: "problem", value: "\(problem.code.rawValue): \(problem.detail)"))
            lines.append((name: "remedy", value: problem.remedy))
        }
        return lines
    }
}
