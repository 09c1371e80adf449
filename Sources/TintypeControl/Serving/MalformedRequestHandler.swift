// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1
internal import TintypeModel

/// Gives the reply to bytes that are no HTTP request a problem document as its body.
///
/// Hummingbird ends such a connection with a bare 400 of its own, which no route and no middleware sees: it is
/// recognised here, between its codec and NIO's encoder, by being the only 400 without a body. The server is done with
/// the connection after it.
final class MalformedRequestHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var error: HTTPParserError?

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.error = error as? HTTPParserError ?? .unknown
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let error, case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headers.first(name: "content-length") == "0",
            let document = try? WireFormat.encode(Problem.malformed(error))
        else {
            context.write(data, promise: promise)
            return
        }
        head.headers.replaceOrAdd(name: "content-length", value: "\(document.count)")
        head.headers.replaceOrAdd(name: "content-type", value: Problem.mediaType)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: document)))), promise: promise)
    }
}

extension Problem {
    fileprivate static func malformed(_ error: HTTPParserError) -> Problem {
        if error == .headerOverflow {
            Problem(.invalidRequest, "The header of the request is too large.", remedy: "Send fewer or shorter fields.")
        } else {
            Problem(
                .invalidRequest,
                "What was received is not an HTTP/1.1 request (\(error)).",
                remedy: "Use an HTTP client, as in: curl --unix-socket PATH http://localhost/v1/cameras."
            )
        }
    }
}
