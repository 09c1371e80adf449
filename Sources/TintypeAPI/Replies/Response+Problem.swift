// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Hummingbird
internal import NIOHTTP1
internal import TintypeModel
internal import TintypeSystem

extension Response {
    /// Problem document (RFC 9457), counted, with the status of its code; `Retry-After` in seconds if waiting helps.
    init(problem: Problem, allow methods: [HTTPRequest.Method] = []) {
        Counter(label: MetricName.errors.rawValue, dimensions: [("code", problem.code.rawValue)]).increment()
        var headers = HTTPFields.uncached(Problem.mediaType)
        if !methods.isEmpty { headers[.allow] = methods.map(\.rawValue).joined(separator: ", ") }
        if let wait = problem.retryAfterMs {
            headers[.retryAfter] = "\(Int(max(0, wait.duration.millisecondCount / 1000).rounded(.up)))"
        }
        if problem.code == .requestTimeout { headers[.connection] = "close" }
        self.init(ByteBuffer(bytes: problem.document), headers, status: .init(code: problem.code.status))
    }
}

extension Problem {
    var document: [UInt8] {
        // A problem contains only text and numbers, so encoding does not fail.
        (try? WireFormat.encode(self)) ?? []
    }

    /// A complete reply that closes the connection, for channel handlers; HEAD's is `withoutBody` (RFC 9110, 9.3.2).
    func parts(by clock: any MonotonicClock, withoutBody: Bool = false) -> [HTTPServerResponsePart] {
        var response = Response(problem: self)
        response.headers[.connection] = "close"
        response.headers[.date] = clock.wall.httpDate
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: code.status),
            headers: HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) })
        )
        return withoutBody
            ? [.head(head), .end(nil)] : [.head(head), .body(.byteBuffer(ByteBuffer(bytes: document))), .end(nil)]
    }
}

extension Timestamp {
    /// HTTP date with a resolution of one second, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
    var httpDate: String {
        let parts = utc
        // 1970-01-01, day 0, was a Thursday.
        let weekday = Self.weekdays[Int((microseconds / 86_400_000_000 % 7 + 11) % 7)]
        let date = "\(Self.pad(parts.day, 2)) \(Self.months[parts.month - 1]) \(Self.pad(parts.year, 4))"
        let clock = [parts.hour, parts.minute, parts.second].map { Self.pad($0, 2) }.joined(separator: ":")
        return "\(weekday), \(date) \(clock) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

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
