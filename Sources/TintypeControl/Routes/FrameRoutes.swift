// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// Stored frames.
struct FrameRoutes: Sendable {
    let frames: any FrameService

    func add(to router: Router<ControlContext>) {
        router.get("/v1/frames/{id}") { _, context in
            try Response(json: try await frames.frame(try context.frameID()))
        }
        router.get("/v1/frames/{id}/image") { request, context in
            let id = try context.frameID()
            guard !request.alreadyHas(id) else {
                // Only of a frame that is still there.
                _ = try await frames.frame(id)
                return Response(notModified: id)
            }
            return Response(picture: try await frames.picture(of: id), of: id)
        }
    }
}

extension ControlContext {
    fileprivate func frameID() throws -> FrameID {
        let text = try parameters.require("id")
        guard let id = FrameID(text) else {
            throw Problem(
                .frameNotFound,
                "“\(text)” is not the id of a frame.",
                remedy: "Use the id of a still's record, as in 01937a2e-7c11-7abc-8def-0123456789ab."
            )
        }
        return id
    }
}
