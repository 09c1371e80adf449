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
    let summary: String
    let description: String?
    let parameters: [RouteParameter]
    let body: RouteBody?
    let replies: [RouteReply]
    /// True if the query may have the token, since viewers of pictures often send a path only.
    let takesTokenInQuery: Bool
    /// Problem statuses in addition to ``RouteFailure/common``.
    let failures: [RouteFailure]
    let handler: Handler

    init(
        _ endpoint: Endpoint,
        _ summary: String,
        _ description: String? = nil,
        parameters: [RouteParameter] = [],
        body: RouteBody? = nil,
        replies: [RouteReply],
        failures: [RouteFailure] = [],
        isForViewers: Bool = false,
        handler: @escaping Handler
    ) {
        (self.endpoint, self.summary, self.description) = (endpoint, summary, description)
        (self.parameters, self.body, self.replies) = (parameters, body, replies)
        // Computed once, because every request reads it.
        let types = replies.flatMap { [$0.mediaType].compactMap(\.self) + $0.otherMediaTypes }
        takesTokenInQuery = isForViewers || types.contains { $0 == "image/jpeg" || $0.hasPrefix("multipart/") }
        (self.failures, self.handler) = (failures, handler)
    }

    /// A route whose handler returns the value of its JSON reply.
    init<Reply: WireType & Encodable>(
        _ endpoint: Endpoint,
        _ summary: String,
        _ description: String? = nil,
        parameters: [RouteParameter] = [],
        body: RouteBody? = nil,
        reply: String,
        status: HTTPResponse.Status = .ok,
        failures: [RouteFailure] = [],
        value: @escaping @Sendable @concurrent (Request, ControlContext) async throws -> Reply
    ) {
        self.init(
            endpoint,
            summary,
            description,
            parameters: parameters,
            body: body,
            replies: [.json(Reply.self, reply, status: status.code)],
            failures: failures
        ) { try Response(json: try await value($0, $1), status: status) }
    }
}

struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    /// For example `/v1/cameras/{camera}`.
    let path: String
    let id: String
    let access: RouteAccess

    private init(_ method: HTTPRequest.Method, _ path: String, _ id: String, _ access: RouteAccess) {
        (self.method, self.path, self.id, self.access) = (method, path, id, access)
    }

    static func get(_ path: String, _ id: String, _ access: RouteAccess) -> Self { Self(.get, path, id, access) }
    static func put(_ path: String, _ id: String, _ access: RouteAccess) -> Self { Self(.put, path, id, access) }
    static func post(_ path: String, _ id: String, _ access: RouteAccess) -> Self { Self(.post, path, id, access) }
    static func patch(_ path: String, _ id: String, _ access: RouteAccess) -> Self { Self(.patch, path, id, access) }
    static func delete(_ path: String, _ id: String, _ access: RouteAccess) -> Self { Self(.delete, path, id, access) }
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
    let name: String
    let place: String
    let description: String
    let schema: OrderedJSON
    var isRequired = false

    static func path(_ name: String, _ description: String, _ schema: OrderedJSON = String.schema) -> Self {
        Self(name: name, place: "path", description: description, schema: schema, isRequired: true)
    }

    static func query(
        _ name: String,
        _ description: String,
        _ schema: OrderedJSON = String.schema,
        isRequired: Bool = false
    ) -> Self {
        Self(name: name, place: "query", description: description, schema: schema, isRequired: isRequired)
    }

    /// Query parameters for the fields of a request type.
    static func query<Root>(_ fields: [WireField<Root>], required: Set<String> = []) -> [RouteParameter] {
        fields.map { field in
            var parameter = query(field.name, field.description, field.valueSchema)
            parameter.isRequired = required.contains(field.name)
            return parameter
        }
    }

    static func header(_ name: String, _ description: String, _ schema: OrderedJSON = String.schema) -> Self {
        Self(name: name, place: "header", description: description, schema: schema)
    }

    static let ifNoneMatch = header(
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

    static func optional<Value: WireType>(_ type: Value.Type, _ description: String) -> RouteBody {
        RouteBody(schema: type.schema, description: description, isRequired: false)
    }
}

struct RouteReply: Sendable {
    var status = 200
    let description: String
    var mediaType: String?
    var schema: OrderedJSON = [:]
    var otherMediaTypes: [String] = []
    var headers: Headers = []

    typealias Headers = [(name: String, description: String)]

    /// A reply with content of one of these media types.
    static func content(
        _ mediaType: String,
        or others: [String] = [],
        _ description: String,
        _ schema: OrderedJSON = String.schema
    ) -> RouteReply {
        RouteReply(description: description, mediaType: mediaType, schema: schema, otherMediaTypes: others)
    }

    static func json<Value: WireType>(
        _ type: Value.Type,
        _ description: String,
        status: Int = 200,
        headers: Headers = []
    ) -> RouteReply {
        RouteReply(
            status: status,
            description: description,
            mediaType: "application/json",
            schema: type.schema,
            headers: headers
        )
    }

    static func empty(_ description: String, status: Int = 204, headers: Headers = []) -> RouteReply {
        RouteReply(status: status, description: description, headers: headers)
    }

    static func picture(_ description: String, headers: Headers) -> RouteReply {
        RouteReply(
            description: description,
            mediaType: "image/jpeg",
            schema: ["type": "string", "contentMediaType": "image/jpeg"],
            headers: headers
        )
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
