// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

/// One method of a path: its description in the contract and its handler.
///
/// The router and the contract are built from the same routes. A GET route also answers HEAD.
struct Route: Sendable {
    /// Every error that it throws becomes a problem document.
    typealias Handler = @Sendable @concurrent (Request, ControlContext) async throws -> Response

    let endpoint: Endpoint
    let replies: [RouteReply]
    /// True if the query may have the token, since viewers of pictures often send a path only.
    let takesTokenInQuery: Bool
    let handler: Handler

    static func get(_ path: String, _ id: String, _ access: RouteAccess, _ failures: [RouteFailure] = []) -> Endpoint {
        Endpoint(method: .get, path: path, id: id, access: access, failures: failures)
    }

    static func put(_ path: String, _ id: String, _ access: RouteAccess, _ failures: [RouteFailure] = []) -> Endpoint {
        Endpoint(method: .put, path: path, id: id, access: access, failures: failures)
    }

    static func post(_ path: String, _ id: String, _ access: RouteAccess, _ failures: [RouteFailure] = []) -> Endpoint {
        Endpoint(method: .post, path: path, id: id, access: access, failures: failures)
    }

    static func patch(_ path: String, _ id: String, _ access: RouteAccess, _ failures: [RouteFailure] = []) -> Endpoint
    {
        Endpoint(method: .patch, path: path, id: id, access: access, failures: failures)
    }

    static func delete(_ path: String, _ id: String, _ access: RouteAccess, _ failures: [RouteFailure] = []) -> Endpoint
    {
        Endpoint(method: .delete, path: path, id: id, access: access, failures: failures)
    }
}

/// Method, path, access and parameters of a route; ``replies(_:isForViewers:handler:)`` makes a ``Route`` of it.
struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    /// For example `/v1/cameras/{camera}`.
    let path: String
    let id: String
    let access: RouteAccess
    /// Problem statuses in addition to ``RouteFailure/common``.
    let failures: [RouteFailure]
    var summary = ""
    var details: String?
    var parameters: [RouteParameter] = []
    var body: RouteBody?

    func about(_ summary: String) -> Self { changed { $0.summary = summary } }
    func details(_ details: String) -> Self { changed { $0.details = details } }
    func parameters(_ parameters: [RouteParameter]) -> Self { changed { $0.parameters = parameters } }
    func body(_ body: RouteBody) -> Self { changed { $0.body = body } }

    private func changed(_ change: (inout Self) -> Void) -> Self {
        var endpoint = self
        change(&endpoint)
        return endpoint
    }

    func replies(_ replies: [RouteReply], isForViewers: Bool = false, handler: @escaping Route.Handler) -> Route {
        let types = replies.flatMap(\.mediaTypes)
        let takesToken = isForViewers || types.contains { $0 == "image/jpeg" || $0.hasPrefix("multipart/") }
        return Route(endpoint: self, replies: replies, takesTokenInQuery: takesToken, handler: handler)
    }

    /// A route whose handler returns the value of its JSON reply.
    func reply<Reply: WireType & Encodable>(
        _ description: String,
        status: HTTPResponse.Status = .ok,
        value: @escaping @Sendable @concurrent (Request, ControlContext) async throws -> Reply
    ) -> Route {
        replies([.json(Reply.self, description, status: status.code)]) {
            try Response(json: try await value($0, $1), status: status)
        }
    }
}

enum RouteAccess: Hashable, Sendable {
    /// All clients, including unidentified ones.
    case everybody
    /// Clients with this role for the camera in the path or, without one, for all cameras.
    case role(Role)
    /// Clients with this role for at least one camera; the handler restricts the route to their cameras.
    case part(Role)
    /// Like ``part(_:)``, for stored frames; for `view`, a frame filter also grants access.
    case frames(Role)
    /// The worker, and clients with the role admin.
    case work

    var role: Role? {
        switch self {
        case .everybody, .work: nil
        case .role(let role), .part(let role), .frames(let role): role
        }
    }
}

struct RouteParameter: Sendable {
    enum Place: String { case path, query, header }

    let place: Place
    let name: String
    let description: String
    let schema: OrderedJSON
    let isRequired: Bool

    init(
        _ place: Place,
        _ name: String,
        _ description: String,
        _ schema: OrderedJSON = String.schema,
        isRequired: Bool = false
    ) {
        (self.place, self.name, self.description) = (place, name, description)
        (self.schema, self.isRequired) = (schema, isRequired || place == .path)
    }

    /// Query parameters for the fields of a request type.
    static func query<Root>(_ fields: [WireField<Root>]) -> [RouteParameter] {
        fields.map { Self(.query, $0.name, $0.description, $0.valueSchema, isRequired: $0.isRequired) }
    }

    static let ifNoneMatch = Self(
        .header,
        "If-None-Match",
        "ETags of pictures that the client has, or *. If the requested picture is one of them, it is not sent again."
    )
}

struct RouteBody: Sendable {
    let schema: OrderedJSON
    let description: String
    let isRequired: Bool
    var mediaType = "application/json"

    static func required<Value: WireType>(_ type: Value.Type, _ description: String) -> RouteBody {
        RouteBody(schema: type.schema, description: description, isRequired: true)
    }

    /// An empty body is an empty object.
    static func optional<Value: WireType>(_ type: Value.Type, _ description: String) -> RouteBody {
        RouteBody(schema: type.schema, description: description, isRequired: false)
    }
}

struct RouteReply: Sendable {
    typealias Headers = [(name: String, description: String)]

    var status = 200
    let description: String
    var mediaTypes: [String] = []
    var schema = String.schema
    var headers: Headers = []

    static func json<Value: WireType>(
        _ type: Value.Type,
        _ description: String,
        status: Int = 200,
        headers: Headers = []
    ) -> RouteReply {
        let types = ["application/json"]
        return Self(status: status, description: description, mediaTypes: types, schema: type.schema, headers: headers)
    }

    static func empty(_ description: String, status: Int = 204, headers: Headers = []) -> RouteReply {
        RouteReply(status: status, description: description, headers: headers)
    }

    static func content(_ types: [String], _ description: String, _ schema: OrderedJSON = String.schema) -> RouteReply {
        RouteReply(description: description, mediaTypes: types, schema: schema)
    }

    static func picture(_ description: String, headers: Headers) -> RouteReply {
        let schema: OrderedJSON = ["type": "string", "contentMediaType": "image/jpeg"]
        return RouteReply(description: description, mediaTypes: ["image/jpeg"], schema: schema, headers: headers)
    }
}

/// Problem responses, one per HTTP status.
enum RouteFailure: Int, CaseIterable {
    case badRequest = 400
    case unauthenticated = 401
    case denied = 403
    case notFound = 404
    case timeout = 408
    case conflict = 409
    case precondition = 412
    case tooLarge = 413
    case unsupported = 422
    case tooMany = 429
    case internalError = 500
    case unavailable = 503
    case notInTime = 504
    case spoolFailed = 507

    static let common: Set<RouteFailure> = [
        .badRequest, .unauthenticated, .denied, .tooMany, .internalError, .unavailable,
    ]
    static let ofBodies: Set<RouteFailure> = [.timeout, .tooLarge]
}

extension [RouteFailure] {
    static let camera: Self = [.notFound, .conflict, .notInTime]
    /// If the driver may refuse it.
    static let driver: Self = camera + [.unsupported]
    static let spool: Self = [.notFound, .notInTime, .spoolFailed]
    static let stored: Self = driver + spool
}
