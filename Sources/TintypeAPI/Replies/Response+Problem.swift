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
