// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc
internal import TintypeModel

/// A failure as the command tells it: sentence, remedy and exit status.
struct FailureReport {
    let status: Int32
    private let detail: String
    let remedy: String
    private let problem: Problem?
    private let code: String
    private let isQuiet: Bool

    /// The report of `error`, which `arguments` led to; nil for those that ArgumentParser tells.
    init?(_ error: any Error, _ arguments: [String] = []) {
        problem = error as? Problem
        switch error {
        case let error as Problem:
            (status, code) = (error.code.exitStatus, error.code.rawValue)
            detail = OptionName.replacingFields(in: error.detail)
            let remedy = OptionName.replacingFields(in: error.remedy)
            // “tintype controls prof” asks for the controls of a camera “prof”.
            let command = error.code == .cameraNotFound ? MistypedCommand(in: arguments)?.nearest : nil
            self.remedy = remedy + (command.map { " If you meant a command: “\($0)”." } ?? "")
            isQuiet = false
        case let error as ClientError:
            (status, code, detail, remedy) = (Self.status(error.kind), error.kind.rawValue, error.detail, error.remedy)
            isQuiet = false
        case let error as OutputError:
            (status, code, detail, remedy) = (EX_IOERR, "output", error.detail, error.remedy)
            isQuiet = error.isBrokenPipe
        default: return nil
        }
    }

    var text: String { "\(detail) \(remedy)" }

    /// Writes to stderr: the problem document for `json`, else two lines; nothing for a closed pipe.
    func write(json: Bool) throws {
        if isQuiet { return }
        guard json else { return try StandardStream.error.write("tintype: \(detail)\n\(remedy)\n") }
        // The problem document or, for what is none, its three members that make sense here.
        if let problem { return try StandardStream.error.write(json: problem) }
        try StandardStream.error.write(json: ["code": code, "detail": detail, "remedy": remedy])
    }

    /// 2 where the daemon could not be reached or did not answer; 1 where it did, and not as expected.
    private static func status(_ kind: ClientError.Kind) -> Int32 {
        switch kind {
        case .missing, .refused, .denied, .connection, .deadline, .closed, .notHTTP: 2
        case .tooLarge, .unexpected: 1
        }
    }
}

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
            (Interruption.usualStatus, "burst was interrupted"),
        ]
        return "\(title)\n"
            + rows.sorted { $0.status < $1.status }
            .map { "\(String(repeating: " ", count: 4 - "\($0.status)".count))\($0.status)  \($0.meaning)" }.joined(
                separator: "\n"
            )
    }
}
