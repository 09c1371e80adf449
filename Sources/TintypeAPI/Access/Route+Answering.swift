// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel

extension Route {
    /// Answers a request of a client that may make it; throws why a client may not.
    ///
    /// Refusals and changes are told to `audit`.
    func answer(_ request: Request, _ context: ControlContext, _ audit: AuditLog) async throws -> Response {
        var context = context
        let sent = request.token(inQuery: isPicture)
        do {
            context.client = Result { () throws(Problem) in
                // Who writes a token into a page or a program knows what for.
                if sent?.isAmbient ?? true { try request.refuseOthers(context) }
                return try context.access.caller(context.peer, token: sent?.token)
            }
            try admit(request, context)
            var response = try await handler(isPicture ? request.withoutToken : request, context)
            if sent?.place == .query { response.headers[.known("Referrer-Policy")] = "no-referrer" }
            note("\(response.status.code)", request, context, audit)
            return response
        } catch var problem as Problem {
            let caller = try? context.caller
            // For it, what it may not see is not there.
            let isNarrow = caller.map { $0.role == nil } ?? true
            // The daemon's own words have the names of other cameras.
            if problem.code == .cameraNotFound, isNarrow { problem = .noCamera(context.askedCamera(request)) }
            switch problem.code {
            case .unauthenticated, .accessDenied,
                .cameraNotFound where isNarrow, .frameNotFound where isNarrow:
                audit.refused(caller?.name ?? "\(context.peer)", context.peer, request, problem)
            default: note(problem.code.rawValue, request, context, audit)
            }
            throw problem
        } catch {
            note(ProblemCode.internalError.rawValue, request, context, audit)
            throw error
        }
    }

    /// Tells `audit` what came of a request that changes what is there for others.
    private func note(_ result: String, _ request: Request, _ context: ControlContext, _ audit: AuditLog) {
        guard endpoint.method != .get, let role = endpoint.access.role, role >= .control else { return }
        guard let caller = try? context.caller else { return }
        audit.changed(caller, context.peer, request, result: result)
    }

    /// Throws where the client may not use the route.
    private func admit(_ request: Request, _ context: ControlContext) throws {
        switch endpoint.access {
        // The files of the page tell nothing.
        case .everybody: if endpoint.method == .post { try request.refuseOthers(context) }
        case .part(let role): try context.caller.requirePart(role)
        case .frames(let role): try context.caller.requireFrames(role)
        case .role(let role): try context.caller.require(role, for: context.namedCamera)
        }
    }
}

extension ControlContext {
    /// The camera that a request names; the path where none is named: the query may have a token.
    fileprivate func askedCamera(_ request: Request) -> String {
        namedCamera ?? request.uri.queryParameters["camera"].map(String.init) ?? request.uri.path
    }
}

extension Request {
    /// Throws where a page that is not the daemon's asks.
    fileprivate func refuseOthers(_ context: ControlContext) throws(Problem) {
        if case .address = context.peer { try refuseOtherHosts(than: context.access.hosts) }
        try refuseOtherOrigins()
    }

    /// What to ask a client for that has shown no token (RFC 9110, 11.6.1): a browser asks its user on Basic, which is of
    /// no use where the page itself does.
    var challenge: String {
        let mode = headers[.known("Sec-Fetch-Mode")]
        // Browsers leave the mode out where a page came without TLS from another machine.
        let isScript = headers.contains(.known("X-Requested-With")) || headers[.accept] == EventRequest.mediaType
        let bearer = #"Bearer realm="tintype""#
        return mode == nil && !isScript || mode == "navigate"
            ? #"Basic realm="tintype", charset="UTF-8", "# + bearer : bearer
    }
}
