// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1
internal import TintypeModel
internal import TintypeSystem

/// Enforces the rules of HTTP/1.1 (RFC 9112) that SwiftNIO's codec and Hummingbird leave out.
///
/// Sits between SwiftNIO's codec and Hummingbird's, on the connection's event loop. A faulty request gets a problem
/// document, a non-persistent connection is closed after its reply, and unanswered requests get a reply when the server
/// stops. After the reply, an unread body is limited by ``ServerLimits/unreadBodyBytes`` and ``ServerLimits/body``.
final class HTTPRulesHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Pipeline event at shutdown: answers the request in flight, then closes the connection.
    struct Shutdown: Sendable {}

    private typealias Unanswered = (version: HTTPVersion, isHead: Bool, keepsAlive: Bool)

    /// Requests whose reply has not started, in order of arrival.
    private var unanswered: [Unanswered] = []
    /// If set, further input is discarded.
    private var fault: Problem?
    private var isReplying = false
    private var hasBegun = false
    private var isEnding = false
    private(set) var isShutDown = false
    private let limits: ServerLimits
    /// Source of the Date field for replies created here.
    private let clock: any MonotonicClock
    /// Body bytes received for the latest request; nil once the body is complete.
    private var bodyBytes: Int?
    /// Closes the connection if the rest of a body does not arrive after its reply.
    private var bodyTimer: Scheduled<Void>?

    init(limits: ServerLimits, clock: any MonotonicClock) { (self.limits, self.clock) = (limits, clock) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard fault == nil else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return readBody(data, context) }
        bodyBytes = 0
        if let fault = head.fault {
            self.fault = fault
            // Hummingbird answers only errors of this type.
            return context.fireErrorCaught(HTTPParserError.unknown)
        }
        let keepsAlive = head.isKeepAlive && !head.endsParsing
        unanswered.append((version: head.version, isHead: head.method == .HEAD, keepsAlive: keepsAlive))
        // Hummingbird does not support HTTP/1.0 and closes a connection only for this exact spelling.
        if !keepsAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
        hasBegun = true
        context.fireChannelRead(wrapInboundOut(.head(head)))
        if isEnding { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    private func readBody(_ data: NIOAny, _ context: ChannelHandlerContext) {
        if case .body(let part) = unwrapInboundIn(data) {
            let bytes = (bodyBytes ?? 0) + part.readableBytes
            bodyBytes = bytes
            // Before the reply, the route that reads the body enforces its own limit.
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
            // A client that has just connected still gets an answer to its first request.
            isEnding = true
            return
        }
        guard event is Shutdown else { return context.fireUserInboundEventTriggered(event) }
        // A reply that has started continues until the connections are closed.
        guard !isReplying, !isShutDown else { return }
        isShutDown = true
        guard let request = unanswered.first else { return context.close(promise: nil) }
        let stopping = Problem(
            .stopping,
            "The daemon is stopping; the request was not finished.",
            remedy: "Send it again once tintyped has started.",
            retryAfter: .seconds(1)
        )
        let parts = stopping.parts(by: clock, withoutBody: request.isHead)
        for part in parts.dropLast() { context.write(wrapOutboundOut(part), promise: nil) }
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isShutDown else {
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
                // Replaces Hummingbird's reply to malformed input: a bare 400 that bypasses routes and middleware.
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

    /// Sets the Connection field (RFC 9112, 9.3), and HTTP/1.0 for a close-delimited reply.
    private func persist(_ head: inout HTTPResponseHead, _ request: Unanswered) {
        let hasLength = head.headers.contains(name: "content-length") || !head.status.mayHaveResponseBody
        // Avoids chunked coding, which HTTP/1.0 lacks and many MJPEG clients cannot read: other servers never use it.
        let isStream = head.headers["content-type"] == [PicturePart.mediaType]
        let isUnframed = !hasLength && (request.version == .http1_0 || isStream)
        if isUnframed { head.version = .http1_0 }
        if isUnframed || !request.keepsAlive || fault != nil {
            head.headers.replaceOrAdd(name: "connection", value: "close")
        } else if request.version == .http1_0 {
            head.headers.replaceOrAdd(name: "connection", value: "keep-alive")
        }
    }
}
