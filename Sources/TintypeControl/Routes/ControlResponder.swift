// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import TintypeModel

/// The HTTP API: a request goes in, a reply comes out, whatever happens between.
///
/// It needs no connection.
struct ControlResponder: Sendable {
    private let router: RouterResponder<ControlContext>
    private let routes: RouteTable
    private let logger: Logger

    init(
        cameras: any CameraService,
        frames: any FrameService,
        version: String,
        limits: ServerLimits = ServerLimits(),
        logger: Logger
    ) {
        let router = Router(context: ControlContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ThrownErrors())
        DaemonRoutes(version: version, cameras: cameras, frames: frames).add(to: router)
        CameraRoutes(cameras: cameras, limits: limits).add(to: router)
        WarmthRoutes(cameras: cameras, limits: limits).add(to: router)
        ControlRoutes(cameras: cameras, limits: limits).add(to: router)
        FrameRoutes(frames: frames, limits: limits).add(to: router)
        SpoolRoutes(frames: frames, limits: limits).add(to: router)
        self.router = router.buildResponder()
        routes = RouteTable(router.routes.map { (path: $0.path.description, method: $0.method) })
        self.logger = logger
    }

    /// The methods of each path, paths written as in the contract: `/v1/cameras/{camera}`.
    var methods: [String: [HTTPRequest.Method]] { routes.methods }

    /// The reply to `request`; errors are replies too.
    func respond(to request: Request) async -> Response {
        var response: Response
        do {
            response = try await router.respond(to: request, context: ControlContext(source: .init(logger: logger)))
        } catch let thrown as ThrownErrors.Thrown {
            response = reply(to: thrown.error, for: request)
        } catch {
            response = reply(to: error, for: request)
        }
        response.headers[.date] = HTTPDate(.now()).description
        // RFC 9110, 9.3.2: no content after the header. The router sees to it only where it has a route.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func reply(to error: any Error, for request: Request) -> Response {
        if let error = error as? HTTPError, error.status == .notFound {
            let allowed = routes.methods(of: request.uri.path)
            return allowed.isEmpty
                ? Response(problem: .noSuchPath(request.uri.path))
                : Response(problem: .wrongMethod(request.method, allowed: allowed), allow: allowed)
        }
        if let problem = Problem(mapping: error) { return Response(problem: problem) }
        let id = RequestID().description
        logger.error("\(request.method) \(request.uri.path): \(error)", metadata: ["request": "\(id)"])
        return Response(problem: .unexpected(request: id))
    }
}
