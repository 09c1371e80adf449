// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOHTTP1
internal import TintypeModel

extension Problem {
    /// Problem for an error thrown by a route or the router; nil for unexpected errors.
    init?(mapping error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case is CancellationError:
            self.init(.stopping, "The request was abandoned.", remedy: "Send it again.", retryAfter: .seconds(1))
        case let error as HTTPError where (400..<500).contains(error.status.code):
            self.init(
                .invalidRequest,
                error.body ?? "The request is not valid (\(error.status.code) \(error.status.reasonPhrase)).",
                remedy: "See the contract at /openapi.json."
            )
        // Invalid body framing: a broken chunk, or end of input before the declared length.
        case let error as HTTPParserError: self = .malformed(error)
        default: return nil
        }
    }

    static func noSuchPath(_ path: String) -> Problem {
        let remedy = "See the contract at /openapi.json for what there is."
        return Problem(.notFound, "There is nothing at \(path).", remedy: remedy)
    }

    static func noCamera(_ name: String, field: String? = nil) -> Problem {
        let detail = "There is no camera “\(name)” that you have access to."
        let remedy = "See GET /v1/cameras for those that there are, or “tintype access”."
        return Problem(.cameraNotFound, detail, remedy: remedy, field: field)
    }

    static func noFrame(_ id: FrameID) -> Problem {
        Problem(.frameNotFound, "No frame \(id) is stored.", remedy: "Use an id of the list of frames.")
    }

    static func wrongMethod(_ method: HTTPRequest.Method, allowed: [HTTPRequest.Method]) -> Problem {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return Problem(.methodNotAllowed, "\(method.rawValue) is not possible here.", remedy: "Use one of: \(names).")
    }

    static func tooLarge(limit: Int) -> Problem {
        Problem(.tooLarge, "The body of the request has more than \(limit) bytes.", remedy: "Send a smaller one.")
    }

    static func unexpected(request id: String) -> Problem {
        let remedy = "Look for that number in its log (sudo journalctl -u tintyped) and report it."
        return Problem(.internalError, "The daemon failed at request \(id).", remedy: remedy)
    }
}
