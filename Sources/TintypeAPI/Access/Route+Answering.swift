// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import TintypeModel
internal import TintypeSystem

extension Route {
    /// Authorizes and answers a request, logging refusals and changes; throws the problem that the client gets.
    func answer(_ request: Request, _ context: ControlContext) async throws -> Response {
        var context = context
        let sent = request.token(inQuery: takesTokenInQuery)
        do {
            context.client = Result { () throws(Problem) in
                // A token in the query or a bearer header was put there deliberately, so it is no cross-site request.
                if sent?.isAmbient ?? true { try request.refuseOthers(context) }
                let caller = try context.access.caller(context.peer, token: sent?.token)
                return request.mayBeCrossSite(sent) ? caller.asViewer : caller
            }
            try admit(request, context)
            var response = try await handler(takesTokenInQuery ? request.withoutToken : request, context)
            if sent?.place == .query { response.headers[.known("Referrer-Policy")] = "no-referrer" }
            logChange("\(response.status.code)", request, context)
            return response
        } catch var problem as Problem {
            let caller = try? context.caller
            // Cameras and frames that the client may not see are reported as nonexistent.
            let isNarrow = caller.map { $0.role == nil } ?? true
            // The original text may name other cameras, except for one of a list.
            if problem.code == .cameraNotFound, problem.field == nil, isNarrow {
                // Never the query, which may contain a token.
                let asked = request.uri.queryParameters["camera"].map(String.init) ?? request.uri.path
                problem = .noCamera(context.namedCamera ?? asked)
            }
            if problem.code == .unauthenticated, sent == nil,
                request.uri.queryParameters[Substring(TokenField.parameter)] != nil
            {
                problem.remedy = "The parameter token is for pictures and streams: send Authorization: Bearer TOKEN."
            }
            switch problem.code {
            // The page asks this before it signs in.
            case .unauthenticated where sent == nil && endpoint.id == "access": break
            case .unauthenticated, .accessDenied,
                .cameraNotFound where isNarrow, .frameNotFound where isNarrow:
                context.logRefusal(of: caller?.name ?? "\(context.peer)", request, problem)
            default: logChange(problem.code.rawValue, request, context)
            }
            throw problem
        } catch {
            logChange(ProblemCode.internalError.rawValue, request, context)
            throw error
        }
    }

    /// Logs the result of a request that changes state.
    private func logChange(_ result: String, _ request: Request, _ context: ControlContext) {
        guard endpoint.method != .get, let role = endpoint.access.role else { return }
        // Handlers of such routes may require a higher role.
        guard role >= .control || endpoint.access == .part(role) else { return }
        guard !context.isDryRun.isRaised, let caller = try? context.caller else { return }
        context.logChange(by: caller.name, request, result: result)
    }

    private func admit(_ request: Request, _ context: ControlContext) throws {
        switch endpoint.access {
        // GET routes that ignore the client serve only static files of the page.
        case .everybody: if endpoint.method == .post { try request.refuseOthers(context) }
        case .part(let role): try context.caller.requirePart(role)
        case .frames(let role): try context.caller.requireFrames(role)
        case .work: try context.caller.requireWork()
        case .role(let role): try context.caller.require(role, for: context.namedCamera)
        }
    }
}

extension Request {
    /// Throws for a cross-site request or, over TCP, for a foreign Host.
    fileprivate func refuseOthers(_ context: ControlContext) throws(Problem) {
        if case .address = context.peer { try refuseOtherHosts(than: context.access.hosts) }
        try refuseOtherOrigins(sharing: context.access.origins)
    }

    /// `WWW-Authenticate` value for a client without a token (RFC 9110, 11.6.1).
    ///
    /// Offers Basic only where the browser's password prompt is useful: not for requests by the page's scripts.
    var challenge: String {
        let mode = headers[.known("Sec-Fetch-Mode")]
        // Browsers omit Sec-Fetch-Mode for pages loaded from another machine without TLS.
        let isScript = headers.contains(.known("X-Requested-With")) || headers[.accept] == EventRequest.mediaType
        let bearer = #"Bearer realm="tintype""#
        return mode == nil && !isScript || mode == "navigate"
            ? #"Basic realm="tintype", charset="UTF-8", "# + bearer : bearer
    }
}

/// Log of refused requests and changes; never blocks.
extension ControlContext {
    /// Maximum logged length of a path or problem detail, in characters: clients choose both.
    private static let longestText = 256

    func logRefusal(of name: String, _ request: Request, _ problem: Problem) {
        var facts = facts(name, request)
        facts["code"] = "\(problem.code.rawValue)"
        facts[MessageID.key] = "\(MessageID.accessRefused)"
        logger.warning("access was refused: \(Self.short(problem.detail))", metadata: facts)
    }

    func logChange(by name: String, _ request: Request, result: String) {
        var facts = facts(name, request)
        facts["result"] = "\(result)"
        logger.notice("a client made a change", metadata: facts)
    }

    private static func short(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count > longestText ? "\(String(scalars.prefix(longestText)))…" : text
    }

    /// Omits the query, which may contain a token.
    private func facts(_ name: String, _ request: Request) -> Logger.Metadata {
        var facts: Logger.Metadata = [
            "client": "\(name)", "request": "\(request.method) \(Self.short(request.uri.path))",
        ]
        switch peer {
        case .process(let process, _, _): facts["pid"] = "\(process)"
        case .address(let address): facts["address"] = "\(address)"
        case .starter: break
        }
        return facts
    }
}
