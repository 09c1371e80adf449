// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

/// Compatible paths for clients of mjpg-streamer and ustreamer.
///
/// `camera` selects a camera by name, and `action=stream_1` by index in alphabetical order. Without either, there must
/// be exactly one camera. Unknown parameters are ignored: clients add some to bypass caches. `action` is a prefix, as for
/// mjpg-streamer: guides for OpenCV use `action=stream?dummy=param.mjpg`.
extension ControlServices {
    /// Limit for settling after the start of a camera: these clients give up after about two seconds.
    private static let longestSettling = Duration.milliseconds(1500)

    private static let settle = RouteParameter(
        .query,
        "settle",
        "Whether to wait until exposure and white balance have settled: with auto, for at most 1.5 s.",
        SettlePolicy.schema.adding(["default": .text(SettlePolicy.auto.rawValue)])
    )
    private static let camera = RouteParameter(
        .query,
        "camera",
        "The name of the camera; may be missing if there is one camera only."
    )
    private static let snapshot = RouteReply.picture("A picture exposed after the request.", headers: recordHeaders)

    var peerRoutes: [Route] {
        [
            .get("/", "action", .everybody, .stored)
                .about("The page, or a picture or stream as of mjpg-streamer")
                .details(
                    "action begins with snapshot or stream, and may have the number of a camera from 0, as in stream_1."
                )
                .parameters([
                    Self.camera, Self.settle,
                    .init(
                        .query,
                        "action",
                        "The action; missing for the page.",
                        ["type": "string", "pattern": "^(snapshot|stream)(_[0-9]*)?"]
                    ),
                ])
                .replies([
                    .content(
                        ["image/jpeg", "multipart/x-mixed-replace", "text/html"],
                        "The page, the picture, or the stream."
                    )
                ]) { request, context in
                    guard let action = request.query("action") else { return PageRoutes.page }
                    if action.hasPrefix("command") {
                        let detail = "Controls are not set by a GET request, which any page can make a browser send."
                        let remedy = "Use PATCH /v1/cameras/{camera}/controls, or “tintype controls set”."
                        throw Problem(.notFound, detail, remedy: remedy)
                    }
                    guard let match = action.prefixMatch(of: /(snapshot|stream)(?:_([^?&]*))?/) else {
                        throw Problem.noSuchPath("/?action=\(action)")
                    }
                    // “stream_” is what mjpg-streamer calls its first input.
                    let number = match.2.flatMap { $0.isEmpty ? nil : Int($0) ?? -1 }
                    if match.1 == "stream" { return try await stream(request, number: number, context) }
                    return try await snapshot(request, number: number, context)
                },
            .get("/snapshot", "snapshot", .part(.view), .stored)
                .about("A picture, as of ustreamer")
                .parameters([Self.camera, Self.settle])
                .replies([Self.snapshot]) { request, context in try await snapshot(request, context) },
            .get("/stream", "stream", .part(.view), .stored)
                .about("A stream, as of ustreamer")
                .parameters([
                    Self.camera, Self.settle,
                    .init(
                        .query,
                        "advance_headers",
                        "1 or true: the header of each part is sent with the picture before it; the default for browsers."
                    ),
                ])
                .replies([.pictures]) { request, context in try await stream(request, context) },
            .get("/state", "state", .part(.view), [.notFound, .conflict])
                .about("The state of a camera and its stream, as of ustreamer; opens no camera")
                .parameters([Self.camera])
                .replies(
                    [
                        .content(["application/json"], "The state, with the fields of ustreamer 6.", ["type": "object"])
                    ],
                    isForViewers: true
                ) { request, context in
                    let state = Self.state(of: try await cameras.camera(try await camera(of: request, context)))
                    return Response(ByteBuffer(string: state.text() + "\n"), .uncached("application/json"))
                },
        ]
    }

    private func snapshot(_ request: Request, number: Int? = nil, _ context: ControlContext) async throws -> Response {
        let camera = try await camera(of: request, number: number, context)
        let picture = try Self.settling(StillRequest(keep: false), request)
        let still = try await context.opening(camera, picture) { wanted throws(Problem) in
            try await cameras.still(wanted, of: camera) { _ in }
        }
        return Response(still: still, hasIt: false)
    }

    private func stream(_ request: Request, number: Int? = nil, _ context: ControlContext) async throws -> Response {
        let camera = try await camera(of: request, number: number, context)
        var wanted = StreamRequest()
        wanted.picture = try Self.settling(wanted.picture, request)
        wanted.advanceHeaders = request.query("advance_headers").map { ["1", "true", "yes"].contains($0) }
        return try await cameras.streamReply(wanted, of: camera, for: request, context)
    }

    private static func settling(_ picture: StillRequest, _ request: Request) throws(Problem) -> StillRequest {
        var picture = picture
        picture.longestSettling = longestSettling
        guard let text = request.query("settle") else { return picture }
        guard let settle = SettlePolicy(rawValue: text) else {
            throw .invalid(field: "settle", "is not one of \(SettlePolicy.words).", remedy: "Give one of them.")
        }
        picture.settle = settle
        return picture
    }

    private func camera(of request: Request, number: Int? = nil, _ context: ControlContext) async throws -> String {
        let caller = try context.caller
        if let name = request.query("camera") {
            try caller.require(.view, for: name)
            return name
        }
        try caller.requirePart(.view)
        let names = await cameras.cameras().map(\.name).filter { caller.role(for: $0) != nil }
        if let number {
            if names.indices.contains(number) { return names[number] }
            let detail = "There is no camera with the number \(number): there are \(names.count), numbered from 0."
            throw Problem(.cameraNotFound, detail, remedy: "See GET /v1/cameras.")
        }
        return try CameraName.only(of: names, orElse: "Plug one in, or configure one.") { "Name one: ?camera=\($0)." }
    }

    private static func state(of camera: CameraStatus) -> OrderedJSON {
        let streams = camera.streams ?? []
        let (granted, size) = (camera.format, camera.format?.size)
        let isOnline = camera.state.isStreaming && camera.lastFrameAgeMs != nil
        func whole(_ rate: Double?) -> OrderedJSON { .integer(Int((rate ?? 0).rounded())) }
        let flags: OrderedJSON = [
            "extra_headers": false, "advance_headers": false, "dual_final_frames": false, "zero_data": false,
            "key": "0",
        ]
        let clients = streams.map { stream -> OrderedJSON.Member in
            ("\(stream.id)", .object([("fps", whole(stream.framesPerSecond))]).adding(flags))
        }
        return [
            "ok": true,
            "result": [
                "instance_id": .text(camera.name),
                "encoder": [
                    "type": granted?.pixelFormat.isJPEG == true ? "HW" : "CPU", "quality": .integer(camera.quality),
                ],
                "source": [
                    "resolution": ["width": .integer(size?.width ?? 0), "height": .integer(size?.height ?? 0)],
                    "online": .flag(isOnline),
                    "desired_fps": whole(camera.asked?.interval?.rate ?? granted?.interval?.rate),
                    "captured_fps": isOnline ? whole(camera.framesPerSecond) : 0,
                ],
                "stream": [
                    "queued_fps": whole(streams.compactMap(\.framesPerSecond).max()),
                    "clients": .integer(streams.count),
                    "clients_stat": .object(clients),
                ],
            ],
        ]
    }
}

extension Request {
    /// First value of a query parameter; nil if missing or empty.
    fileprivate func query(_ name: Substring) -> String? {
        uri.queryParameters[name].flatMap { $0.isEmpty ? nil : String($0) }
    }
}
