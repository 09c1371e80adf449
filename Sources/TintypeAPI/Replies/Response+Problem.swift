// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import TintypeModel
internal import TintypeSystem

extension Response {
    /// A problem document (RFC 9457) with the status of its code, and `Retry-After` in whole seconds where waiting helps.
    ///
    /// Every problem that a client is told comes by here, and is counted.
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
    /// The problem document in JSON.
    var document: [UInt8] {
        // A problem is text and numbers: encoding it does not fail.
        (try? WireFormat.encode(self)) ?? []
    }
}

extension Problem {
    /// A whole reply for a handler below Hummingbird, after which the connection is closed.
    ///
    /// Its date is by `clock`. The reply to HEAD is `withoutBody` (RFC 9110, 9.3.2).
    func parts(by clock: any MonotonicClock, withoutBody: Bool = false) -> [HTTPServerResponsePart] {
        var response = Response(problem: self)
        response.headers[.connection] = "close"
        response.headers[.date] = HTTPDate(clock.wall).description
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: code.status),
            headers: HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) })
        )
        return withoutBody
            ? [.head(head), .end(nil)] : [.head(head), .body(.byteBuffer(ByteBuffer(bytes: document))), .end(nil)]
    }
}
