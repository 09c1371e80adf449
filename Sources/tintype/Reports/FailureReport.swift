// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc
internal import TintypeClient
internal import TintypeModel

/// A failure as the command tells it: sentence, remedy and exit status.
struct FailureReport {
    /// The exit status of the process.
    let status: Int32
    private let detail: String
    private let remedy: String
    private let problem: Problem?
    private let code: String
    private let isQuiet: Bool

    /// The report of `error`; nil for those of the command line, which ArgumentParser tells.
    init?(_ error: any Error) {
        problem = error as? Problem
        switch error {
        case let error as Problem:
            (status, code, detail, remedy) = (error.code.exitStatus, error.code.rawValue, error.detail, error.remedy)
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

    /// What goes to stderr: the problem document for `json`, else two lines; nothing for a closed pipe.
    func text(json: Bool) -> String {
        if isQuiet { return "" }
        guard json else { return "tintype: \(detail)\n\(remedy)\n" }
        return String(decoding: (try? document()) ?? [], as: UTF8.self) + "\n"
    }

    /// The problem document or, for what is none, its three members that make sense here.
    private func document() throws -> [UInt8] {
        if let problem { return try WireFormat.encode(problem, pretty: true) }
        return try WireFormat.encode(["code": code, "detail": detail, "remedy": remedy], pretty: true)
    }

    /// 2 where the daemon could not be reached or did not answer; 1 where it did, and not as expected.
    private static func status(_ kind: ClientError.Kind) -> Int32 {
        switch kind {
        case .missing, .refused, .denied, .connection, .deadline, .closed, .notHTTP: 2
        case .tooLarge, .unexpected: 1
        }
    }
}
