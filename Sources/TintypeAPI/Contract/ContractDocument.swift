// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel
internal import TintypeSystem

/// OpenAPI 3.1 document, generated from the routes and wire types.
///
/// `Tests/Contract/surface.txt` lists its paths, parameters and fields.
struct ContractDocument {
    let routes: [Route]

    var text: String {
        let paths = paths
        let responses = OrderedJSON.object(RouteFailure.allCases.map { ($0.name, Self.reply($0)) })
        var schemas: [OrderedJSON.Member] = []
        for part in [paths, responses] { part.addSchemas(to: &schemas) }
        let document: OrderedJSON = [
            "openapi": "3.1.0",
            "info": Self.info,
            "servers": [
                ["url": "http://localhost", "description": "Over the socket, as in: curl --unix-socket PATH URL"]
            ],
            "security": [[:], ["bearer": []], ["basic": []], ["cookie": []]],
            "tags": .list(Self.tags.map { ["name": .text($0.name), "description": .text($0.description)] }),
            "paths": paths,
            "components": [
                "parameters": .object(Self.pathParameters.map { ($0.name, Self.parameter($0)) }),
                "responses": responses,
                "securitySchemes": Self.securitySchemes,
                "schemas": .object(schemas),
            ],
        ]
        return document.text() + "\n"
    }

    /// Started by the first request, since most daemons get none.
    private static let thread = WorkerThreads<Void>(name: "tt-contract", count: 1) {}

    /// Generates the document for each request, on a thread of its own: requests are rare but would block an event loop.
    static func route(after others: [Route], by clock: any MonotonicClock) -> Route {
        .get("/openapi.json", "contract", .everybody, [.notInTime])
            .about("This document")
            .replies([.content(["application/json"], "The document.", ["type": "object"])]) { _, _ in
                let tooSlow = Problem(
                    .deadlineExceeded,
                    "The contract was not made within 10 s: the machine has too much to do.",
                    remedy: "Ask again later.",
                    retryAfter: .seconds(10)
                )
                let text = try await thread.perform(until: clock.now + .seconds(10), by: clock, otherwise: tooSlow) {
                    _ in
                    ContractDocument(routes: others + [route(after: others, by: clock)]).text
                }
                return Response(ByteBuffer(string: text), [.contentType: "application/json"])
            }
    }

    private var paths: OrderedJSON {
        var items: [OrderedJSON.Member] = []
        for route in routes {
            let operation = (name: route.endpoint.method.rawValue.lowercased(), value: Self.operation(route))
            if let index = items.firstIndex(where: { $0.name == route.endpoint.path }) {
                items[index].value = items[index].value.adding(.object([operation]))
            } else {
                items.append((route.endpoint.path, .object([operation])))
            }
        }
        return .object(items)
    }

    private static func operation(_ route: Route) -> OrderedJSON {
        let endpoint = route.endpoint
        var operation: OrderedJSON = ["operationId": .text(endpoint.id), "summary": .text(endpoint.summary)]
        let tag = tags.first { $0.paths.contains { endpoint.path == $0 || endpoint.path.hasPrefix("\($0)/") } }
        if let tag { operation = operation.adding(["tags": [.text(tag.name)]]) }
        let role = endpoint.access == .work ? "work" : endpoint.access.role?.rawValue
        if let role { operation = operation.adding(["x-role": .text(role)]) }
        if let description = endpoint.details { operation = operation.adding(["description": .text(description)]) }
        let parameters =
            endpoint.path.matches(of: /\{(\w+)\}/).map { ["$ref": .text("#/components/parameters/\($0.1)")] }
            + endpoint.parameters.map { parameter($0) }
        if !parameters.isEmpty { operation = operation.adding(["parameters": .list(parameters)]) }
        var failures = RouteFailure.common.union(endpoint.failures)
        if let body = endpoint.body {
            failures.formUnion(RouteFailure.ofBodies)
            operation = operation.adding([
                "requestBody": [
                    "required": .flag(body.isRequired), "description": .text(body.description),
                    "content": .object([(body.mediaType, ["schema": body.schema] as OrderedJSON)]),
                ]
            ])
        }
        let replies = route.replies.map { (name: "\($0.status)", value: reply($0)) }
        let problems = RouteFailure.allCases.filter(failures.contains).map { failure -> OrderedJSON.Member in
            ("\(failure.rawValue)", ["$ref": .text("#/components/responses/\(failure.name)")])
        }
        return operation.adding(["responses": .object(replies + problems)])
    }

    private static func parameter(_ parameter: RouteParameter) -> OrderedJSON {
        let described: OrderedJSON = [
            "name": .text(parameter.name), "in": .text(parameter.place.rawValue),
            "required": .flag(parameter.isRequired),
            "description": .text(parameter.description), "schema": parameter.schema,
        ]
        // Comma-separated lists (OpenAPI style `form` without `explode`).
        guard parameter.place == .query, parameter.schema.type == "array" else { return described }
        return described.adding(["style": "form", "explode": false])
    }

    private static func reply(_ reply: RouteReply) -> OrderedJSON {
        var described: OrderedJSON = ["description": .text(reply.description)]
        if !reply.headers.isEmpty {
            let fields = reply.headers.map { name, description -> OrderedJSON.Member in
                (name, ["description": .text(description), "schema": String.schema])
            }
            described = described.adding(["headers": .object(fields)])
        }
        guard !reply.mediaTypes.isEmpty else { return described }
        return described.adding(["content": .object(reply.mediaTypes.map { ($0, ["schema": reply.schema]) })])
    }

    private static func reply(_ failure: RouteFailure) -> OrderedJSON {
        let described: OrderedJSON = ["description": .text(failure.description)]
        let about = "The time to wait, in seconds; missing where waiting does not help."
        let wait: OrderedJSON = ["headers": ["Retry-After": ["description": .text(about), "schema": Int.schema]]]
        let content: OrderedJSON = ["schema": Problem.schema]
        return (failure.hasRetryAfter ? described.adding(wait) : described)
            .adding(["content": .object([(Problem.mediaType, content)])])
    }

    private static let info: OrderedJSON = [
        "title": "tintype",
        "version": "1",
        "summary": "Stills from V4L2 cameras over a Unix socket, or TCP",
        "description": """
        HTTP/1.1 on a Unix socket. Times are RFC 3339 in UTC with microseconds; durations are numbers of milliseconds. \
        Every error is a problem document. A path that has GET also has HEAD, which answers as GET would, without the \
        content, and stores nothing. A method that a path does not have is answered 405 method-not-allowed, with the \
        methods that it has in Allow. A path that does not exist is answered 404 not-found. x-role is the role that an \
        operation takes for its camera, or for all cameras where it names none, or work, a right of its own; lists have what the \
        client may see. Over TCP every request needs a token; paths of pictures also take it as ?token=.
        """,
        "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
    ]

    /// Groups of operations, by their paths and the paths below them; the first group counts.
    private static let tags: [(name: String, description: String, paths: [String])] = [
        ("controls", "The controls of a camera and their profiles.", ["/v1/cameras/{camera}/controls"]),
        (
            "cameras", "Cameras: stills, live streams, configuration, and what keeps them open.",
            ["/v1/cameras", "/v1/stream.mjpg"]
        ),
        ("frames", "Stored frames and their spools.", ["/v1/frames", "/v1/spool"]),
        ("jobs", "Uploads, films and clips, and their worker.", ["/v1/jobs", "/v1/films", "/v1/work"]),
        ("access", "What a client may do.", ["/v1/access", "/v1/tokens", "/v1/login", "/v1/logout"]),
        (
            "daemon", "The daemon: its health, events, metrics, hooks, configuration and contract.",
            ["/healthz", "/metrics", "/openapi.json", "/v1/events", "/v1/hooks", "/v1/reload"]
        ),
        ("page", "The page for a browser.", ["/page"]),
        ("compatible", "The paths of mjpg-streamer and ustreamer.", ["/", "/snapshot", "/state", "/stream"]),
    ]

    private static let securitySchemes: OrderedJSON = [
        "bearer": ["type": "http", "scheme": "bearer", "description": "A token, over TCP."],
        "basic": ["type": "http", "scheme": "basic", "description": "A token as the password; any user name."],
        "cookie": [
            "type": "apiKey", "in": "cookie", "name": .text(TokenField.cookie),
            "description": "A token that login has set.",
        ],
    ]

    private static let pathParameters: [RouteParameter] = [
        .init(.path, "camera", "The camera's name."),
        .init(.path, "id", "The frame's id.", FrameID.schema),
        .init(
            .path,
            "profile",
            "The name of a profile of the camera's controls.",
            ["type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,63}$"]
        ),
        .init(.path, "file", "The name of the file."),
        .init(.path, "job", "The job's id, or the name of its rule."),
        .init(.path, "batch", "The id of the batch."),
        .init(.path, "frame", "The id of a frame of the batch.", FrameID.schema),
    ]
}

extension OrderedJSON {
    /// Adds every schema that this value names, directly or through another schema, in the order of the first mention.
    fileprivate func addSchemas(to schemas: inout [Member]) {
        switch self {
        case .schema(let name, let type):
            guard !schemas.contains(where: { $0.name == name }) else { return }
            let definition = type.definition
            schemas.append((name, definition))
            definition.addSchemas(to: &schemas)
        case .list(let items): for item in items { item.addSchemas(to: &schemas) }
        case .object(let members): for member in members { member.value.addSchemas(to: &schemas) }
        case .text, .integer, .flag: break
        }
    }
}

extension RouteFailure {
    /// Name under `components.responses`.
    var name: String { "\(self)".prefix(1).uppercased() + "\(self)".dropFirst() }

    var hasRetryAfter: Bool { [.conflict, .tooMany, .unavailable, .notInTime, .spoolFailed].contains(self) }

    var description: String {
        let codes = ProblemCode.allCases.filter { $0.status == rawValue }.map(\.rawValue)
        let list = [codes.dropLast().joined(separator: ", "), codes.last ?? ""].filter { !$0.isEmpty }
        return list.joined(separator: " or ") + (remark.map { ": \($0)" } ?? ".")
    }

    private var remark: String? {
        switch self {
        case .badRequest: "the request is not valid. If one field is wrong, field names it."
        case .unauthenticated: "over TCP, the request has no token, or one that is not known."
        case .denied: "the client may not do this (access), or a page of another origin asks."
        case .timeout: "the body took too long to arrive."
        case .precondition: "the configuration has changed, or the profile belongs to the configuration file."
        case .tooLarge: "the body has more bytes than are allowed."
        case .unsupported: "the camera cannot do this."
        case .tooMany: "too many connections, requests, holds or pictures at a time."
        case .internalError: "a fault of the daemon."
        case .notFound, .conflict, .unavailable, .notInTime, .spoolFailed: nil
        }
    }
}
