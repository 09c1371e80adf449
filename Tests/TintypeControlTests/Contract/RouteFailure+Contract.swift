// SPDX-License-Identifier: Apache-2.0
import TintypeModel

@testable import TintypeControl

/// What the contract says of the problems of one status.
extension RouteFailure {
    /// Its name among the replies of the contract.
    var name: String { "\(self)".prefix(1).uppercased() + "\(self)".dropFirst() }

    /// Whether waiting can help.
    var hasRetryAfter: Bool { [.conflict, .tooMany, .unavailable, .notInTime, .spoolFailed].contains(self) }

    /// Its codes, and what is to be said of them.
    var description: String {
        let codes = ProblemCode.allCases.filter { $0.status == rawValue }.map(\.rawValue)
        let list = [codes.dropLast().joined(separator: ", "), codes.last ?? ""].filter { !$0.isEmpty }
        return list.joined(separator: " or ") + (remark.map { ": \($0)" } ?? ".")
    }

    private var remark: String? {
        switch self {
        case .badRequest: "the request is not valid. If one field is wrong, field names it."
        case .unauthenticated: "over TCP, the request has no token, or one that is not known."
        case .denied: "the client may not do this (access), or a page of another origin asks."
        case .timeout: "the body took too long to arrive."
        case .precondition: "the configuration has changed, or the profile belongs to the configuration file."
        case .tooLarge: "the body has more bytes than are allowed."
        case .unsupported: "the camera cannot do this."
        case .tooMany: "too many connections, requests, holds or pictures at a time."
        case .internalError: "a fault of the daemon."
        case .notFound, .conflict, .unavailable, .notInTime, .spoolFailed: nil
        }
    }
}
