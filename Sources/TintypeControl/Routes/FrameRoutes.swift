// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// Stored frames.
struct FrameRoutes: Sendable {
    private let frames: any FrameService
    private let limits: ServerLimits

    /// Room for ``FrameSelection/mostIDs`` ids, each with quotes and a comma.
    private static let selectionBytes = 512 << 10

    init(frames: any FrameService, limits: ServerLimits) {
        self.frames = frames
        var limits = limits
        limits.bodyBytes = max(limits.bodyBytes, Self.selectionBytes)
        self.limits = limits
    }

    func add(to router: Router<ControlContext>) {
        router.get("/v1/frames") { request, _ in
            let query = try FrameQuery(query: request.uri.queryParameters.map { (String($0.key), String($0.value)) })
            return try Response(json: try await frames.frames(query))
        }
        router.post("/v1/frames/query") { request, _ in
            let query = try await request.decoded(FrameQuery.self, limits) ?? FrameQuery()
            return try Response(json: try await frames.frames(query))
        }
        router.patch("/v1/frames") { request, _ in
            try Response(json: try await frames.change(try await request.required(FrameChange.self, limits)))
        }
        router.delete("/v1/frames") { request, _ in
            try Response(json: try await frames.delete(try await request.required(FrameSelection.self, limits)))
        }
        addOne(to: router)
        addPictures(to: router)
    }

    private func addOne(to router: Router<ControlContext>) {
        router.get("/v1/frames/{id}") { _, context in
            try Response(json: try await frames.frame(try context.frameID()))
        }
        router.patch("/v1/frames/{id}") { request, context in
            let id = try context.frameID()
            let edit = try await request.required(FrameEdit.self, limits)
            let outcome = try await frames.change(FrameChange(.ids([id]), edit))
            if let problem = outcome.problem { throw problem }
            guard outcome.missing.isEmpty else { throw Problem.noFrame(id) }
            guard outcome.refused.isEmpty else {
                throw Problem.invalid(
                    field: "addTags",
                    "would give the frame more than \(StillRequest.mostTags) tags.",
                    remedy: "Remove some (removeTags)."
                )
            }
            return try Response(json: try await frames.frame(id))
        }
        router.delete("/v1/frames/{id}") { _, context in
            let id = try context.frameID()
            let outcome = try await frames.delete(.ids([id]))
            if let problem = outcome.problem { throw problem }
            guard outcome.missing.isEmpty else { throw Problem.noFrame(id) }
            return Response(status: .noContent)
        }
    }

    private func addPictures(to router: Router<ControlContext>) {
        router.get("/v1/frames/{id}/image") { request, context in
            let id = try context.frameID()
            guard !request.alreadyHas(id) else {
                // Only of a frame that is still there.
                _ = try await frames.frame(id)
                return Response(notModified: id)
            }
            return Response(picture: try await frames.picture(of: id), of: id)
        }
        router.get("/v1/frames/{id}/thumbnail") { request, context in
            let id = try context.frameID()
            let width = try request.thumbnailWidth
            guard !request.alreadyHas(tag: id.tag(width: width)) else {
                _ = try await frames.frame(id)
                return Response(notModified: id, width: width)
            }
            return Response(thumbnail: try await frames.thumbnail(of: id, width: width), of: id, width: width)
        }
    }
}

extension Request {
    /// The width that is asked for, the only parameter there is.
    fileprivate var thumbnailWidth: Int {
        get throws(Problem) {
            if let unknown = uri.queryParameters.first(where: { $0.key != "width" }) {
                throw .invalid(
                    field: String(unknown.key),
                    "is not known.",
                    remedy: "Leave it out or use one of: width."
                )
            }
            return try ThumbnailWidth.read(uri.queryParameters["width"].map { String($0) })
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

extension Problem {
    fileprivate static func noFrame(_ id: FrameID) -> Problem {
        Problem(.frameNotFound, "No frame \(id) is stored.", remedy: "Use an id of the list of frames.")
    }
}
