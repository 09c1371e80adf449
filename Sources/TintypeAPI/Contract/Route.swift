// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel

/// One method of a path: what the contract says of it, and what answers it.
///
/// The router and the contract are made from the same routes. GET answers HEAD, too.
struct Route: Sendable {
    /// Answers a request; everything that it throws becomes a problem document.
    typealias Handler = @Sendable @concurrent (Request, ControlContext) async throws -> Response

    let endpoint: Endpoint
    let summary: String
    let description: String?
    let parameters: [RouteParameter]
    let body: RouteBody?
    let replies: [RouteReply]
    /// Whether its reply is a picture, or pictures: programs that show them can often send no more than a path.
    let isPicture: Bool
    /// The problems that it can have besides those of every route.
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
        handler: @escaping Handler
    ) {
        self.endpoint = endpoint
        self.summary = summary
        self.description = description
        self.parameters = parameters
        self.body = body
        self.replies = replies
        // Once: every request asks.
        let types = replies.flatMap { [$0.mediaType].compactMap(\.self) + $0.otherMediaTypes }
        isPicture = types.contains { $0 == "image/jpeg" || $0.hasPrefix("multipart/") }
        self.failures = failures
        self.handler = handler
    }
}

/// A method of a path, its name in the contract, and who may use it.
struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    /// The path, as in `/v1/cameras/{camera}`.
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

/// Who may use a route.
enum RouteAccess: Hashable, Sendable {
    /// Everybody, also whom the daemon does not know.
    case everybody
    /// Clients with this role for the camera in the path or, where there is none, for all cameras.
    case role(Role)
    /// Clients with this role for at least one camera; the route shows or changes what is theirs alone.
    case part(Role)
    /// The same for stored frames, of which a client may see some without a role.
    case frames(Role)

    /// The role that it takes; nil for none.
    var role: Role? {
        switch self {
        case .everybody: nil
        case .role(let role), .part(let role), .frames(let role): role
        }
    }
}

/// A parameter in the query or in the header.
struct RouteParameter: Sendable {
    let name: String
    let place: String
    let description: String
    let schema: OrderedJSON

    /// The parameters in a query that fields of a request are read from.
    static func query<Root>(_ fields: [WireField<Root>]) -> [RouteParameter] {
        fields.map { field in
            RouteParameter(name: field.name, place: "query", description: field.description, schema: field.valueSchema)
        }
    }

    static func header(_ name: String, _ description: String) -> RouteParameter {
        RouteParameter(name: name, place: "header", description: description, schema: String.schema)
    }

    static let ifNoneMatch = header(
        "If-None-Match",
        """
        ETags of pictures that the client has, or *. If the requested picture is one of them, it is not sent again.
        """
    )
}

/// The body of a request in JSON.
struct RouteBody: Sendable {
    let schema: OrderedJSON
    let description: String
    let isRequired: Bool

    static func required<Value: WireType>(_ type: Value.Type, _ description: String) -> RouteBody {
        RouteBody(schema: type.schema, description: description, isRequired: true)
    }

    static func optional<Value: WireType>(_ type: Value.Type, _ description: String) -> RouteBody {
        RouteBody(schema: type.schema, description: description, isRequired: false)
    }
}

/// A reply that is no problem.
struct RouteReply: Sendable {
    var status = 200
    let description: String
    var mediaType: String?
    var schema: OrderedJSON = [:]
    var otherMediaTypes: [String] = []
    var headers: [(name: String, description: String)] = []

    static func json<Value: WireType>(
        _ type: Value.Type,
        _ description: String,
        status: Int = 200,
        headers: [(name: String, description: String)] = []
    ) -> RouteReply {
        RouteReply(
            status: status,
            description: description,
            mediaType: "application/json",
            schema: type.schema,
            headers: headers
        )
    }

    static func empty(
        _ description: String,
        status: Int = 204,
        headers: [(name: String, description: String)] = []
    ) -> RouteReply {
        RouteReply(status: status, description: description, headers: headers)
    }

    static func picture(_ description: String, headers: [(name: String, description: String)]) -> RouteReply {
        RouteReply(
            description: description,
            mediaType: "image/jpeg",
            schema: ["type": "string", "contentMediaType": "image/jpeg"],
            headers: headers
        )
    }
}

/// The problems of one status.
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
    /// Those of a route whose requests have a body.
    static let ofBodies: Set<RouteFailure> = [.timeout, .tooLarge]
}
