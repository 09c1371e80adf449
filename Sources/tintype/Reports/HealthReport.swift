// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The daemon's health in readable lines.
enum HealthReport {
    /// As in `tintyped 0.1.0 at /run/tintype/tintyped.sock: degraded`, and two lines for each reason.
    static func text(_ health: Health, socket: String) -> PrintedText {
        let reasons = (health.reasons ?? []).map { reason -> PrintedText in
            "  \(reason.code.rawValue): \(reason.detail)\n    remedy: \(reason.remedy)\n"
        }
        return "tintyped \(health.version) at \(socket): \(health.status.rawValue)\n" + PrintedText(reasons)
    }
}
