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
/// Streams, and replies without a length to HTTP/1.0 clients, end with the connection (RFC 9112, 6.3).
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
    /// True if the reply ends with the connection; a write of it completes once the kernel has accepted all of it.
    private var isUnframed = false
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
        close(context, after: nil)
        context.flush()
    }

    /// Ends the reply, and closes the connection once it is sent.
    private func close(_ context: ChannelHandlerContext, after promise: EventLoopPromise<Void>?) {
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: sent)
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
                // Makes each write wait for the previous one.
                let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 1)
                if isUnframed { try? context.channel.syncOptions?.setOption(.writeBufferWaterMark, value: mark) }
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
            if isUnframed { close(context, after: promise) } else { context.write(data, promise: promise) }
        }
    }

    /// Sets the Connection field (RFC 9112, 9.3), and HTTP/1.0 for a close-delimited reply.
    private func persist(_ head: inout HTTPResponseHead, _ request: Unanswered) {
        let hasLength = head.headers.contains(name: "content-length") || !head.status.mayHaveResponseBody
        // Avoids chunked coding, which HTTP/1.0 lacks and many MJPEG clients cannot read: other servers never use it.
        let isStream = head.headers["content-type"] == [PicturePart.mediaType]
        isUnframed = !hasLength && (request.version == .http1_0 || isStream)
        if isUnframed { head.version = .http1_0 }
        if isUnframed || !request.keepsAlive || fault != nil {
            head.headers.replaceOrAdd(name: "connection", value: "close")
        } else if request.version == .http1_0 {
            head.headers.replaceOrAdd(name: "connection", value: "keep-alive")
        }
    }
}

extension HTTPRequestHead {
    /// Violation of RFC 9112 (2.3, 3.2 and 6.1), most of which SwiftNIO's parser rejects earlier; nil if none.
    var fault: Problem? {
        guard version == .http1_1 || version == .http1_0 else {
            return .head("The request is in HTTP/\(version.major).\(version.minor).", "Use HTTP/1.1.")
        }
        let codings = headers["transfer-encoding"]
        // “chunked” must not be repeated either.
        if !codings.isEmpty, codings.map({ $0.lowercased() }) != ["chunked"] {
            return .head(
                "The body has the Transfer-Encoding “\(codings.joined(separator: ", "))”.",
                "Send it plain: with Content-Length, or with Transfer-Encoding: chunked and no other coding."
            )
        }
        if !codings.isEmpty, version == .http1_0 {
            return .head("HTTP/1.0 has no Transfer-Encoding.", "Send Content-Length, or use HTTP/1.1.")
        }
        let hosts = headers["host"]
        guard hosts.count <= 1, version == .http1_0 || hosts.count == 1 else {
            return .head(
                "The request has \(hosts.isEmpty ? "no Host field" : "\(hosts.count) Host fields").",
                "Send one, such as Host: localhost."
            )
        }
        // Invalid in a host name, address or port (RFC 3986, 3.2).
        guard !hosts.contains(where: { $0.contains { " \t/?#@\\".contains($0) } }) else {
            return .head("The Host field is not the name of a host.", "Send one, such as Host: localhost.")
        }
        return nil
    }

    /// True if SwiftNIO's decoder reads no further request of the connection: after CONNECT, and after a request to
    /// change the protocol (RFC 9110, 7.8), such as that of “curl --http2”.
    var endsParsing: Bool {
        method == .CONNECT
            || headers.contains(name: "upgrade")
                && headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    }
}

extension Problem {
    /// Problem for a parser error in the head or the body.
    static func malformed(_ error: HTTPParserError) -> Problem {
        if error == .headerOverflow {
            .head("The header of the request is too large.", "Send fewer or shorter fields.")
        } else {
            .head(
                "The bytes received are not an HTTP/1.1 request (\(error)).",
                "Use an HTTP client, as in: curl --unix-socket PATH http://localhost/v1/cameras."
            )
        }
    }

    fileprivate static func head(_ detail: String, _ remedy: String) -> Problem {
        Problem(.invalidRequest, detail, remedy: remedy)
    }
}
