// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    var streamRoutes: [Route] {
        [
            .get("/v1/stream.mjpg", "streamCameras", .part(.view), [.notFound])
                .about("Watch several cameras live in one reply, of which a browser has only six at a time")
                .details(
                    """
                    Each part has the name of its camera in Tintype-Camera. Always the newest picture of each camera, \
                    sent when the client has read the one before. A camera that gives no picture now has a part \
                    application/problem+json with the reason, once for each reason and at least every 30 s; its \
                    pictures follow in the same reply. The reply has no length and ends with the connection. A camera \
                    of open that is stopped is not opened again.
                    """
                )
                .parameters(RouteParameter.query(CombinedStreamRequest.fields))
                .replies([
                    .content(
                        ["multipart/x-mixed-replace"],
                        """
                        The pictures and problems, each a part with the fields Tintype-Camera, Content-Type and \
                        Content-Length, and for a picture those of the stream of one camera.
                        """
                    )
                ]) { request, context in
                    let wanted = try CombinedStreamRequest(query: request.parameters)
                    let feeds = try await names(of: wanted, context).map { name in
                        CameraFeed(
                            of: name,
                            opens: wanted.opened.contains(name),
                            events: events,
                            by: clock,
                            stopCount: { await cameras.stopCount(of: name) }
                        ) { opens throws(Problem) in
                            var stream = wanted.stream
                            stream.picture.opens = opens
                            do throws(Problem) {
                                return try await cameras.startStream(stream, of: name, context)
                            } catch {
                                switch error.code {
                                // The text of the cameras may name others.
                                case .cameraNotFound: throw Problem.noCamera(name)
                                case .cameraOff:
                                    let remedy = "Name it in open, with the role still, or wait until it runs."
                                    throw Problem(.cameraOff, "The camera \(name) is off.", remedy: remedy)
                                default: throw error
                                }
                            }
                        }
                    }
                    let isCurrent = context.isCurrent
                    return Response(feeds: feeds, over: context.channel, by: clock, while: isCurrent) {
                        for await _ in events.signals() where !isCurrent() { break }
                    }
                }
        ]
    }

    /// Names of the cameras, sorted; throws the problem of one that the client does not have.
    private func names(of wanted: CombinedStreamRequest, _ context: ControlContext) async throws(Problem) -> [String] {
        let caller = try context.caller
        let all = await cameras.cameras().map(\.name).filter { caller.role(for: $0) != nil }
        for (field, names) in [("camera", wanted.cameras ?? []), ("open", wanted.opened)] {
            for name in names where !all.contains(name) { throw Problem.noCamera(name, field: field) }
        }
        guard !all.isEmpty else {
            let detail = "There is no camera that you have access to."
            throw Problem(.cameraNotFound, detail, remedy: "Plug one in, or configure one.", field: "camera")
        }
        return wanted.cameras.map { names in all.filter(names.contains) } ?? all
    }
}
