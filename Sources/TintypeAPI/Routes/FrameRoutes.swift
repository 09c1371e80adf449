// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    private static let outcome = """
        The outcome. Ids without a frame are in missing. Frames that could not be changed or deleted are in failed, and \
        problem says why.
        """

    /// Header fields of a route for an immutable file.
    private static func headers(tag: String) -> RouteReply.Headers {
        [(name: "ETag", description: tag), ("Cache-Control", "private, immutable")]
    }

    private static func notModified(_ headers: RouteReply.Headers) -> RouteReply {
        .empty("The client has it already (If-None-Match).", status: 304, headers: headers)
    }

    var frameRoutes: [Route] {
        let image = Self.headers(tag: "The id in quotes.")
        let thumbnail = Self.headers(tag: "A weak tag of id and width.")
        return [
            Route(
                .get("/v1/frames", "frames", .frames(.view)),
                "The stored frames that match a filter, page by page",
                parameters: RouteParameter.query(FrameQuery.fields),
                reply: "A page.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let query = try FrameQuery(query: request.parameters)
                return try await context.own(frames).frames(query)
            },
            Route(
                .get("/v1/frames/days", "frameDays", .frames(.view)),
                "The numbers of stored frames between times, for a calendar or a timeline",
                parameters: RouteParameter.query(FrameSpanQuery.queryFields, required: ["times"]),
                reply: "The spans.",
                failures: [.notInTime, .spoolFailed]
            ) { request, context in
                let query = try FrameSpanQuery(query: request.parameters)
                return try await context.own(frames).spans(query)
            },
            Route(
                .post("/v1/frames/query", "queryFrames", .frames(.view)),
                "The stored frames that match a filter in the body, page by page",
                body: .optional(FrameQuery.self, "At most 512 KiB; empty for the newest of all frames."),
                reply: "A page.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let query = try await request.decoded(FrameQuery.self, context.frameLimits) ?? FrameQuery()
                return try await context.own(frames).frames(query)
            },
            Route(
                .patch("/v1/frames", "changeFrames", .frames(.control)),
                "Pin, unpin or tag frames; replies once the change is on the disk",
                body: .required(FrameChange.self, "The frames and the change; at most 512 KiB."),
                reply: Self.outcome,
                failures: [.notInTime, .spoolFailed]
            ) { request, context in
                let change = try await request.required(FrameChange.self, context.frameLimits)
                return try await context.own(frames).apply(change)
            },
            Route(
                .delete("/v1/frames", "deleteFrames", .frames(.admin)),
                "Delete frames, pinned ones too; replies once the deletion is on the disk",
                body: .required(FrameSelection.self, "The frames; at most 512 KiB."),
                reply: Self.outcome,
                failures: [.notInTime, .spoolFailed]
            ) { request, context in
                let selection = try await request.required(FrameSelection.self, context.frameLimits)
                return try await context.own(frames).delete(selection)
            },
            Route(
                .get("/v1/frames/{id}", "frame", .frames(.view)),
                "The record of a stored frame",
                reply: "The record.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { _, context in try await context.own(frames).frame(try context.frameID()) },
            Route(
                .patch("/v1/frames/{id}", "changeFrame", .frames(.control)),
                "Pin, unpin or tag a frame; replies once the change is on the disk",
                body: .required(FrameEdit.self, "The change."),
                reply: "The changed record.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let id = try context.frameID()
                let edit = try await request.required(FrameEdit.self, context.frameLimits)
                let outcome = try await context.own(frames).apply(FrameChange(.ids([id]), edit))
                if let problem = outcome.problem { throw problem }
                guard outcome.missing.isEmpty else { throw Problem.noFrame(id) }
                guard outcome.refused.isEmpty else {
                    let fault = "would give the frame more than \(StillRequest.mostTags) tags."
                    throw Problem.invalid(field: "addTags", fault, remedy: "Remove some (removeTags).")
                }
                return try await context.own(frames).frame(id)
            },
            Route(
                .delete("/v1/frames/{id}", "deleteFrame", .frames(.admin)),
                "Delete a frame, pinned or not; replies once the deletion is on the disk",
                replies: [.empty("The frame is deleted.")],
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { _, context in
                let id = try context.frameID()
                let outcome = try await context.own(frames).delete(.ids([id]))
                if let problem = outcome.problem { throw problem }
                guard outcome.missing.isEmpty else { throw Problem.noFrame(id) }
                return Response(status: .noContent)
            },
            Route(
                .get("/v1/frames/{id}/image", "frameImage", .frames(.view)),
                "The file of a stored frame: its picture, film or clip",
                parameters: [.ifNoneMatch] + RouteParameter.ofRanges,
                replies: RouteReply.file("The file; it never changes.", headers: image) + [Self.notModified(image)],
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let id = try context.frameID()
                return try await immutable(id, for: request, context) { frames throws(Problem) in
                    Response(file: try await frames.file(of: id), for: request, .immutable(id, nil))
                }
            },
            Route(
                .get("/v1/frames/{id}/thumbnail", "frameThumbnail", .frames(.view)),
                "A small picture of a stored frame; of a film or clip, of its poster",
                parameters: [.ifNoneMatch, .thumbnailWidth],
                replies: [
                    .picture("The thumbnail, without EXIF data.", headers: thumbnail), Self.notModified(thumbnail),
                ],
                failures: [.notFound, .unsupported, .notInTime, .spoolFailed]
            ) { request, context in
                let (id, width) = (try context.frameID(), try request.thumbnailWidth)
                return try await immutable(id, width, for: request, context) { frames throws(Problem) in
                    Response(jpeg: try await frames.thumbnail(of: id, width: width), .immutable(id, width))
                }
            },
        ]
    }

    /// The file of a stored frame, or its thumbnail of this width; 304 if the client has it already.
    private func immutable(
        _ id: FrameID,
        _ width: Int? = nil,
        for request: Request,
        _ context: ControlContext,
        _ reply: (AuthorizedFrames) async throws(Problem) -> Response
    ) async throws -> Response {
        let own = try context.own(frames)
        guard !request.alreadyHas(tag: id.tag(width: width)) else {
            // Ensures that the frame still exists and is accessible.
            _ = try await own.frame(id)
            return Response(notModified: .immutable(id, width))
        }
        return try await reply(own)
    }
}

extension Request {
    /// Requested thumbnail width; other parameters are refused.
    fileprivate var thumbnailWidth: Int {
        get throws(Problem) { try ThumbnailWidth.read(try parameters(of: ["width"]).first?.value) }
    }
}

extension ControlContext {
    /// Limits with room for ``FrameSelection/mostIDs`` ids, each with quotes and a comma.
    var frameLimits: BodyLimits {
        var limits = limits
        limits.bytes = max(limits.bytes, 512 << 10)
        return limits
    }

    func frameID(_ name: String = "id") throws -> FrameID {
        let text = try segment(name)
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

extension RouteParameter {
    fileprivate static let thumbnailWidth = query(
        "width",
        "The greatest width in pixels; a picture that is not wider is sent unchanged.",
        Int.schema.adding(.range(ThumbnailWidth.range)).adding(["default": .integer(ThumbnailWidth.standard)])
    )
}
