// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import TintypeModel

extension Problem {
    /// A whole reply for a handler below Hummingbird, after which the connection is closed.
    ///
    /// The reply to HEAD is `withoutBody` (RFC 9110, 9.3.2).
    func parts(withoutBody: Bool = false) -> [HTTPServerResponsePart] {
        var response = Response(problem: self)
        response.headers[.connection] = "close"
        response.headers[.date] = HTTPDate(.now()).description
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: code.status),
            headers: HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) })
        )
        return withoutBody
            ? [.head(head), .end(nil)] : [.head(head), .body(.byteBuffer(ByteBuffer(bytes: document))), .end(nil)]
    }
}
