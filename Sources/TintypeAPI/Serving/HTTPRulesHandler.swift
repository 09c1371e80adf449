// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1
internal import TintypeModel
internal import TintypeSystem

/// Keeps a connection to the rules of HTTP/1.1 (RFC 9112) that SwiftNIO's codec and Hummingbird leave out.
///
/// It stands between SwiftNIO's codec and Hummingbird's, on the connection's event loop. Every request with a fault gets
/// a problem document, a connection that does not persist is closed after its reply, and an unanswered request gets a
/// reply when the server stops. A body that nobody reads is bounded behind its reply, by
/// ``ServerLimits/unreadBodyBytes`` and ``ServerLimits/body``.
final class HTTPRulesHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Sent down the pipeline when the server leaves: answers the request in flight, then closes the connection.
    struct Leave: Sendable {}

    /// A request whose reply has not begun.
    private struct Unanswered {
        let version: HTTPVersion
        let isHead: Bool
        let keepsAlive: Bool
    }

    /// In the order of their arrival.
    private var unanswered: [Unanswered] = []
    /// Why nothing more is read from the client.
    private var fault: Problem?
    private var isReplying = false
    private var hasBegun = false
    private var isEnding = false
    private var isLeaving = false
    private let limits: ServerLimits
    /// Dates the replies that are made here.
    private let clock: any MonotonicClock
    /// The bytes so far of the body of the request that was read last; nil once it has ended.
    private var bodyBytes: Int?
    /// Closes the connection where the rest of a body does not come behind its reply.
    private var bodyTimer: Scheduled<Void>?

    init(limits: ServerLimits, clock: any MonotonicClock) { (self.limits, self.clock) = (limits, clock) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard fault == nil else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return readBody(data, context) }
        bodyBytes = 0
        if let fault = head.fault {
            self.fault = fault
            // The only kind of error that Hummingbird answers.
            return context.fireErrorCaught(HTTPParserError.unknown)
        }
        let keepsAlive = head.isKeepAlive
        unanswered.append(Unanswered(version: head.version, isHead: head.method == .HEAD, keepsAlive: keepsAlive))
        // Hummingbird knows no HTTP/1.0, and ends a connection for this spelling only.
        if !keepsAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
        hasBegun = true
        context.fireChannelRead(wrapInboundOut(.head(head)))
        if isEnding { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    private func readBody(_ data: NIOAny, _ context: ChannelHandlerContext) {
        if case .body(let part) = unwrapInboundIn(data) {
            let bytes = (bodyBytes ?? 0) + part.readableBytes
            bodyBytes = bytes
            // Before its reply, those who read a body have its limit.
            if bodyTimer != nil, bytes > limits.unreadBodyBytes { return context.close(promise: nil) }
        } else {
            bodyBytes = nil
            bodyTimer?.cancel()
            bodyTimer = nil
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        bodyTimer?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if fault == nil, let error = error as? HTTPParserError { fault = .malformed(error) }
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, !hasBegun {
            // The first request of a client that has connected just before is on its way, and is answered.
            isEnding = true
            return
        }
        guard event is Leave else { return context.fireUserInboundEventTriggered(event) }
        // A reply that has begun goes on until the last connection is closed.
        guard !isReplying, !isLeaving else { return }
        isLeaving = true
        guard let request = unanswered.first else { return context.close(promise: nil) }
        let parts = Problem.stopping.parts(by: clock, withoutBody: request.isHead)
        for part in parts.dropLast() { context.write(wrapOutboundOut(part), promise: nil) }
        let sent = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        sent.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isLeaving else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isReplying = true
            if !unanswered.isEmpty {
                persist(&head, unanswered.removeFirst())
                context.write(wrapOutboundOut(.head(head)), promise: promise)
            } else if let fault {
                // Hummingbird's reply to bytes that are no request: a bare 400, which no route and no middleware sees.
                for part in fault.parts(by: clock).dropLast() { context.write(wrapOutboundOut(part), promise: nil) }
                promise?.succeed()
            }
        case .body: context.write(data, promise: promise)
        case .end:
            isReplying = false
            if unanswered.isEmpty, bodyBytes != nil {
                bodyTimer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.body)) {
                    context.close(promise: nil)
                }
            }
            context.write(data, promise: promise)
        }
    }

    /// Says whether the connection goes on after this reply (RFC 9112, 9.3).
    private func persist(_ head: inout HTTPResponseHead, _ request: Unanswered) {
        let hasLength = head.headers.contains(name: "content-length") || !head.status.mayHaveResponseBody
        // Without chunks, which HTTP/1.0 does not know, nor do many programs that read the pictures of cameras: no other
        // server sends them any.
        let isUnframed = !hasLength && (request.version == .http1_0 || head.headers.isPictures)
        if isUnframed { head.version = .http1_0 }
        if isUnframed || !request.keepsAlive || fault != nil {
            head.headers.replaceOrAdd(name: "connection", value: "close")
        } else if request.version == .http1_0 {
            head.headers.replaceOrAdd(name: "connection", value: "keep-alive")
        }
    }
}

extension HTTPHeaders {
    /// Whether they are those of a stream of pictures.
    fileprivate var isPictures: Bool { self["content-type"] == [PicturePart.mediaType] }
}

extension Problem {
    fileprivate static let stopping = Problem(
        .stopping,
        "The daemon is stopping; the request was not finished.",
        remedy: "Send it again once tintyped has started.",
        retryAfter: .seconds(1)
    )
}
