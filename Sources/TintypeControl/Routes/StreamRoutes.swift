// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

/// Live pictures of cameras.
struct StreamRoutes: Sendable {
    let cameras: any CameraService

    static let reply = RouteReply(
        status: 200,
        description: """
            The pictures, each a part with the fields Tintype-Sequence, Tintype-Captured-At, Tintype-Age-Ms and X-Timestamp \
            (seconds since 1970).
            """,
        mediaType: "multipart/x-mixed-replace",
        schema: String.schema
    )

    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/cameras/{camera}/stream.mjpg",
                "streamPictures",
                "Watch a camera live: one picture after the other in one reply",
                """
                Always the newest picture, sent when the client has read the one before. Clients that ask for the same \
                share one encode. The reply has no length and ends with the connection, as in HTTP/1.0: when the camera \
                gives no picture within deadlineMs, fails or is stopped. The camera is opened for it, and stays open.
                """,
                parameters: RouteParameter.query(StreamRequest.queryFields),
                replies: [Self.reply],
                failures: [.notFound, .conflict, .unsupported, .notInTime]
            ) { request, context in
                let wanted = try StreamRequest(query: request.parameters)
                return try await cameras.streamReply(wanted, of: try context.camera())
            }
        ]
    }
}

extension CameraService {
    /// The reply to a client that watches `camera` live, with its first picture; throws what keeps that from it.
    func streamReply(_ request: StreamRequest, of camera: String) async throws(Problem) -> Response {
        let source = try await stream(request, of: camera)
        return Response(stream: source, first: try await source(), advance: request.advanceHeaders)
    }
}
