// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The exit statuses, for the help text.
enum ExitStatusTable {
    static let title = "EXIT STATUS:"

    static var text: String {
        var rows: [(status: Int32, meaning: String)] = [
            (0, "success"), (1, "a reply that is not understood"), (2, "tintyped cannot be reached or does not answer"),
            (DoctorCommand.unhealthy, "doctor or verify has found something wrong"),
            (Health.Level.degraded.exitStatus, "status: the daemon is degraded"),
            (Health.Level.failing.exitStatus, "status: no camera or no spool works"),
        ]
        rows += ProblemCode.allCases.map { ($0.exitStatus, "\($0.rawValue): \($0.title)") }
        rows += [
            (64, "wrong command line"), (74, "the output cannot be written"),
            (Interruption.status, "burst was interrupted"),
        ]
        return "\(title)\n"
            + rows.sorted { $0.status < $1.status }
            .map { "\(String(repeating: " ", count: 4 - "\($0.status)".count))\($0.status)  \($0.meaning)" }.joined(
                separator: "\n"
            )
    }
}
