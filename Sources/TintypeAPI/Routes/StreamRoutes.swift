// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    var streamRoutes: [Route] {
        [
            Route(
                .get("/v1/cameras/{camera}/stream.mjpg", "streamPictures", .role(.view)),
                "Watch a camera live: one picture after the other in one reply",
                """
                Always the newest picture, sent when the client has read the one before. Clients that ask for the same \
                share one encode. The reply has no length and ends with the connection, as in HTTP/1.0: when the camera \
                gives no picture within deadlineMs, fails or is stopped. The camera is opened for it, and stays open.
                """,
                parameters: RouteParameter.query(StreamRequest.queryFields),
                replies: [.pictures],
                failures: [.notFound, .conflict, .unsupported, .notInTime]
            ) { request, context in
                let wanted = try StreamRequest(query: request.parameters)
                return try await cameras.streamReply(wanted, of: try context.camera(), context)
            }
        ]
    }
}

extension CameraService {
    /// Starts a live stream and waits for its first picture; throws if there is none.
    func streamReply(
        _ request: StreamRequest,
        of camera: String,
        _ context: ControlContext
    ) async throws(Problem) -> Response {
        let isCurrent = context.isCurrent
        let (source, first) = try await context.opening(camera, request.picture) { picture throws(Problem) in
            var wanted = request
            wanted.picture = picture
            let source = try await stream(wanted, of: camera)
            return (source, try await source())
        }
        return Response(stream: source, first: first, advance: request.advanceHeaders, while: isCurrent)
    }
}

extension RouteReply {
    static let pictures = RouteReply(
        description: """
            The pictures, each a part with the fields Tintype-Sequence, Tintype-Captured-At, Tintype-Age-Ms and X-Timestamp \
            (seconds since 1970).
            """,
        mediaType: "multipart/x-mixed-replace",
        schema: String.schema
    )
}
