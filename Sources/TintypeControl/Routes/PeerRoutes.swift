// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// The paths that clients of mjpg-streamer and ustreamer ask for.
///
/// A camera is named by `camera`, or by its number in the order of names as in `action=stream_1`; without either there is
/// to be one only. Other parameters are left alone: clients of cameras add some to get past caches.
struct PeerRoutes: Sendable {
    let cameras: any CameraService

    private static let camera = RouteParameter(
        name: "camera",
        place: "query",
        description: "The name of the camera; may be missing if there is one camera only.",
        schema: String.schema
    )
    private static let snapshot = RouteReply.picture(
        "A picture that was exposed after the request.",
        headers: CameraRoutes.recordHeaders
    )
    private static let failures: [RouteFailure] = [.notFound, .conflict, .unsupported, .notInTime, .spoolFailed]

    var routes: [Route] {
        [
            Route(
                .get,
                "/",
                "action",
                "A picture or a stream, as mjpg-streamer has them",
                "action is snapshot or stream, or either with the number of a camera from 0, as in stream_1.",
                parameters: [
                    Self.camera,
                    RouteParameter(
                        name: "action",
                        place: "query",
                        description: "What is asked for.",
                        schema: ["type": "string", "pattern": "^(snapshot|stream)(_[0-9]+)?$"]
                    ),
                ],
                replies: [
                    RouteReply(
                        status: 200,
                        description: "The picture, or the stream.",
                        mediaType: "image/jpeg",
                        schema: String.schema,
                        otherMediaType: StreamRoutes.reply.mediaType
                    )
                ],
                failures: Self.failures
            ) { request, _ in
                let parts = (request.query("action") ?? "").split(separator: "_", maxSplits: 1)
                let number = parts.dropFirst().first.map { Int($0) ?? -1 }
                switch parts.first {
                case "snapshot": return try await snapshot(of: try await camera(of: request, number: number))
                case "stream": return try await stream(of: try await camera(of: request, number: number), request)
                default: throw Problem.noSuchPath(request.uri.description)
                }
            },
            Route(
                .get,
                "/snapshot",
                "snapshot",
                "A picture, as ustreamer has it",
                parameters: [Self.camera],
                replies: [Self.snapshot],
                failures: Self.failures
            ) { request, _ in try await snapshot(of: try await camera(of: request)) },
            Route(
                .get,
                "/stream",
                "stream",
                "A stream, as ustreamer has it",
                parameters: [
                    Self.camera,
                    RouteParameter(
                        name: "advance_headers",
                        place: "query",
                        description: "1 or true: the header of each part is sent with the picture before it.",
                        schema: String.schema
                    ),
                ],
                replies: [StreamRoutes.reply],
                failures: Self.failures
            ) { request, _ in try await stream(of: try await camera(of: request), request) },
            Route(
                .get,
                "/state",
                "state",
                "The state of a camera and of its stream, as ustreamer has it; opens no camera",
                parameters: [Self.camera],
                replies: [
                    RouteReply(
                        status: 200,
                        description: "The state, with the fields of ustreamer 6.",
                        mediaType: "application/json",
                        schema: ["type": "object"]
                    )
                ],
                failures: [.notFound, .conflict]
            ) { request, _ in
                let state = Self.state(of: try await cameras.camera(try await camera(of: request)))
                return Response(
                    status: .ok,
                    headers: [.contentType: "application/json", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: state.text() + "\n"))
                )
            },
        ]
    }

    private func snapshot(of camera: String) async throws(Problem) -> Response {
        Response(still: try await cameras.still(StillRequest(keep: false), of: camera), hasIt: false)
    }

    private func stream(of camera: String, _ request: Request) async throws(Problem) -> Response {
        var wanted = StreamRequest()
        wanted.advanceHeaders = ["1", "true", "yes"].contains(request.query("advance_headers"))
        return try await cameras.streamReply(wanted, of: camera)
    }

    /// The name of the camera that is asked for.
    private func camera(of request: Request, number: Int? = nil) async throws(Problem) -> String {
        if let name = request.query("camera") { return name }
        let names = await cameras.cameras().map(\.name)
        if let number {
            if names.indices.contains(number) { return names[number] }
            throw Problem(
                .cameraNotFound,
                "There is no camera with the number \(number): there are \(names.count), numbered from 0.",
                remedy: "See GET /v1/cameras."
            )
        }
        return try CameraName.only(of: names, orElse: "Plug one in, or configure one.") { "Name one: ?camera=\($0)." }
    }

    private static func state(of camera: CameraStatus) -> OrderedJSON {
        let streams = camera.streams ?? []
        let granted = camera.format
        let isOnline = camera.state.isStreaming && camera.lastFrameAgeMs != nil
        func whole(_ rate: Double?) -> OrderedJSON { .integer(Int((rate ?? 0).rounded())) }
        let clients = streams.map { stream in
            OrderedJSON.Member(
                "\(stream.id)",
                [
                    "fps": whole(stream.framesPerSecond), "extra_headers": false, "advance_headers": false,
                    "dual_final_frames": false, "zero_data": false, "key": "0",
                ]
            )
        }
        return [
            "ok": true,
            "result": [
                "instance_id": .text(camera.name),
                "encoder": [
                    "type": granted?.pixelFormat.isJPEG == true ? "HW" : "CPU", "quality": .integer(camera.quality),
                ],
                "source": [
                    "resolution": [
                        "width": .integer(granted?.size.width ?? 0), "height": .integer(granted?.size.height ?? 0),
                    ],
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
    /// The value of a parameter; nil where there is none or it is empty.
    fileprivate func query(_ name: Substring) -> String? {
        uri.queryParameters[name].flatMap { $0.isEmpty ? nil : String($0) }
    }
}
