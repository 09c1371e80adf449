// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import TintypeModel
internal import TintypeSystem

/// Answers HTTP requests without needing a connection; errors become replies, too.
struct ControlResponder: Sendable {
    private let router: RouterResponder<ControlContext>
    /// All routes, in the order of the contract.
    let routes: [Route]
    /// Sorted methods by path, which is written as in the contract: `/v1/cameras/{camera}`.
    let methods: [String: [HTTPRequest.Method]]
    private let access: AccessPolicy
    private let limits: BodyLimits
    private let clock: any MonotonicClock
    private let logger: Logger

    init(_ services: ControlServices, limits: ServerLimits = ServerLimits(), logger: Logger) {
        let router = Router(context: ControlContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ThrownErrors())
        let others =
            services.daemonRoutes + services.cameraRoutes + services.streamRoutes
            + services.peerRoutes + services.configurationRoutes + services.warmthRoutes
            + services.controlRoutes + services.frameRoutes + services.spoolRoutes + services.jobRoutes
            + services.workRoutes + services.accessRoutes + PageRoutes.routes
        routes = others + [ContractDocument.route(after: others, by: services.clock)]
        for route in routes {
            let endpoint = route.endpoint
            let count = Counter(label: MetricName.requests.rawValue, dimensions: [("operation", endpoint.id)])
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
                count.increment()
                return try await route.answer(request, context)
            }
        }
        self.limits = BodyLimits(bytes: limits.bodyBytes, time: limits.body, clock: services.clock)
        (access, clock) = (services.access, services.clock)
        self.router = router.buildResponder()
        methods = Dictionary(grouping: router.routes) { $0.path.description }.mapValues { $0.map(\.method) }
        self.logger = logger
    }

    /// A reply with content that is not admitted is replaced by the problem.
    func respond(
        to request: Request,
        from peer: Peer,
        admitting reply: ReplyAdmission = ReplyAdmission(ReplyBudget(bytes: .max), of: ""),
        on channel: (any Channel)? = nil
    ) async -> Response {
        var response: Response
        let request = request.withSpaces
        let source = ControlContext.Source(
            logger: logger,
            peer: peer,
            access: access,
            limits: limits,
            reply: reply,
            channel: channel
        )
        let origins = access.origins
        let origin = request.headers[.origin].flatMap { origins.contains($0) ? $0 : nil }
        let methods = origin != nil && request.isPreflight ? allowedMethods(for: request.uri.path) : []
        do {
            response =
                methods.isEmpty
                ? try await router.respond(to: request, context: ControlContext(source: source))
                : Response(preflight: methods)
        } catch {
            response = failure((error as? ThrownErrors.Thrown)?.error ?? error, of: request)
        }
        let bytes = request.method == .head ? 0 : response.bytesInMemory
        if bytes > 0 {
            do throws(Problem) { try reply.admit(bytes) } catch { response = Response(problem: error) }
        }
        response.headers[.date] = clock.wall.httpDate
        if !origins.isEmpty { response.share(with: origin) }
        // HEAD replies have no content (RFC 9110, 9.3.2). The router enforces this only for paths that have a route.
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Methods for `Allow` (RFC 9110, 15.5.6) of the route that matches a request path; empty if none does.
    private func allowedMethods(for path: String) -> [HTTPRequest.Method] {
        let segments = path.split(separator: "/")
        let fitting = methods.filter { pattern, _ in
            let own = pattern.split(separator: "/")
            return own.count == segments.count && zip(own, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        // The most specific match, like the router: `/v1/frames/query` is not a frame.
        let closest = fitting.min { one, other in one.key.count { $0 == "{" } < other.key.count { $0 == "{" } }
        return closest?.value ?? []
    }

    private func failure(_ error: any Error, of request: Request) -> Response {
        if let error = error as? HTTPError, error.status == .notFound {
            let allowed = allowedMethods(for: request.uri.path)
            return allowed.isEmpty
                ? Response(problem: .noSuchPath(request.uri.path))
                : Response(problem: .wrongMethod(request.method, allowed: allowed), allow: allowed)
        }
        if let problem = Problem(mapping: error) {
            var response = Response(problem: problem)
            if problem.code == .unauthenticated { response.headers[.wwwAuthenticate] = request.challenge }
            return response
        }
        let id = RequestID().description
        logger.error("\(request.method) \(request.uri.path): \(error)", metadata: ["request": "\(id)"])
        return Response(problem: .unexpected(request: id))
    }
}

/// Wraps every error in ``Thrown``, also the router's own, which the router would answer in its own format.
struct ThrownErrors: RouterMiddleware {
    typealias Context = ControlContext

    struct Thrown: Error { let error: any Error }

    @concurrent func handle(
        _ request: Request,
        context: ControlContext,
        next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            throw Thrown(error: error)
        }
    }
}
