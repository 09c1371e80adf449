// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel
internal import TintypeSystem

extension ControlServices {
    private static let outcome = """
        The outcome. Ids without a frame are in missing. Frames that could not be changed or deleted are in failed, \
        and problem says why.
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
            .get("/v1/frames", "frames", .frames(.view), .spool)
                .about("The stored frames that match a filter, page by page")
                .parameters(RouteParameter.query(FrameQuery.fields))
                .reply("A page.") { request, context in
                    try await context.own(frames).frames(FrameQuery(query: request.parameters))
                },
            .get("/v1/frames/days", "frameDays", .frames(.view), [.notInTime, .spoolFailed])
                .about("The numbers of stored frames between times, for a calendar or a timeline")
                .parameters(RouteParameter.query(FrameSpanQuery.fields))
                .reply("The spans.") { request, context in
                    try await context.own(frames).spans(FrameSpanQuery(query: request.parameters))
                },
            .post("/v1/frames/query", "queryFrames", .frames(.view), .spool)
                .about("The stored frames that match a filter in the body, page by page")
                .body(.optional(FrameQuery.self, "At most 512 KiB; empty for the newest of all frames."))
                .reply("A page.") { request, context in
                    try await context.own(frames).frames(request.decoded(context.frameLimits))
                },
            .patch("/v1/frames", "changeFrames", .frames(.control), [.notInTime, .spoolFailed])
                .about("Pin, unpin or tag frames; replies once the change is on the disk")
                .body(.required(FrameChange.self, "The frames and the change; at most 512 KiB."))
                .reply(Self.outcome) { request, context in
                    try await context.own(frames).apply(request.required(context.frameLimits))
                },
            .delete("/v1/frames", "deleteFrames", .frames(.admin), [.notInTime, .spoolFailed])
                .about("Delete frames, pinned ones too; replies once the deletion is on the disk")
                .body(.required(FrameSelection.self, "The frames; at most 512 KiB."))
                .reply(Self.outcome) { request, context in
                    try await context.own(frames).delete(request.required(context.frameLimits))
                },
            .get("/v1/frames/{id}", "frame", .frames(.view), .spool)
                .about("The record of a stored frame")
                .reply("The record.") { _, context in try await context.own(frames).frame(context.frameID()) },
            .patch("/v1/frames/{id}", "changeFrame", .frames(.control), .spool)
                .about("Pin, unpin or tag a frame; replies once the change is on the disk")
                .body(.required(FrameEdit.self, "The change."))
                .reply("The changed record.") { request, context in
                    let id = try context.frameID()
                    let edit: FrameEdit = try await request.required(context.frameLimits)
                    let outcome = try await context.own(frames).apply(FrameChange(.ids([id]), edit))
                    try outcome.requireFrame(id)
                    guard outcome.refused.isEmpty else {
                        let fault = "would give the frame more than \(StillRequest.mostTags) tags."
                        throw Problem.invalid(field: "addTags", fault, remedy: "Remove some (removeTags).")
                    }
                    return try await context.own(frames).frame(id)
                },
            .delete("/v1/frames/{id}", "deleteFrame", .frames(.admin), .spool)
                .about("Delete a frame, pinned or not; replies once the deletion is on the disk")
                .replies([.empty("The frame is deleted.")]) { _, context in
                    let id = try context.frameID()
                    try await context.own(frames).delete(.ids([id])).requireFrame(id)
                    return Response(status: .noContent)
                },
            .get("/v1/frames/{id}/image", "frameImage", .frames(.view), .spool)
                .about("The file of a stored frame: its picture, film or clip")
                .parameters([.ifNoneMatch] + RouteParameter.ofRanges)
                .replies(RouteReply.file("The file.", headers: image) + [Self.notModified(image)]) { request, context in
                    let (id, own) = (try context.frameID(), try context.own(frames))
                    if let reply = try await own.notModified(id, for: request) { return reply }
                    return Response(file: try await own.file(of: id), for: request, .immutable(id, nil))
                },
            .get("/v1/frames/{id}/thumbnail", "frameThumbnail", .frames(.view), .spool + [.unsupported])
                .about("A small picture of a stored frame; of a film or clip, of its poster")
                .parameters([.ifNoneMatch, .thumbnailWidth])
                .replies([
                    .picture("The thumbnail, without EXIF data.", headers: thumbnail), Self.notModified(thumbnail),
                ]) { request, context in
                    let width = try ThumbnailWidth.read(request.parameters(of: ["width"]).first?.value)
                    let (id, own) = (try context.frameID(), try context.own(frames))
                    if let reply = try await own.notModified(id, width, for: request) { return reply }
                    return Response(jpeg: try await own.thumbnail(of: id, width: width), .immutable(id, width))
                },
        ]
    }
}

extension AuthorizedFrames {
    /// 304 if the client has the file of the frame, or its thumbnail of this width, already.
    fileprivate func notModified(_ id: FrameID, _ width: Int? = nil, for request: Request) async throws -> Response? {
        guard request.alreadyHas(tag: id.tag(width: width)) else { return nil }
        // Ensures that the frame still exists and is accessible.
        _ = try await frame(id)
        return Response(notModified: .immutable(id, width))
    }
}

extension FrameOutcome {
    /// Throws the problem of a change of this frame only.
    fileprivate func requireFrame(_ id: FrameID) throws(Problem) {
        if let problem { throw problem }
        if !missing.isEmpty { throw .noFrame(id) }
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
    fileprivate static let thumbnailWidth = Self(
        .query,
        "width",
        "The greatest width in pixels; a picture that is not wider is sent unchanged.",
        Int.schema.adding(.range(ThumbnailWidth.range)).adding(["default": .integer(ThumbnailWidth.standard)])
    )
}

extension ControlServices {
    var spoolRoutes: [Route] {
        [
            .get("/v1/spool", "spool", .role(.view))
                .about("The state and the statistics of every spool")
                .reply("The spools.") { _, _ in SpoolList(spools: await frames.spools(within: .seconds(10))) },
            .post("/v1/spool/verify", "verifySpool", .role(.admin), .spool)
                .about(
                    "Compare folder and catalog and repair the differences; may take as long as reading all pictures"
                )
                .body(.optional(VerificationRequest.self, "Empty for all spools, without reading the pictures."))
                .reply("The differences found and repaired.") { request, context in
                    try await frames.verify(request.decoded(context.limits))
                },
            .post("/v1/spool/retention", "applyRetention", .role(.admin), .spool)
                .about("Apply the retention rules now, or list the frames that they would delete")
                .body(.optional(RetentionRequest.self, "Empty to apply the rules to all spools."))
                .reply("The frames that are deleted, or would be.") { request, context in
                    let wanted: RetentionRequest = try await request.decoded(context.limits)
                    if wanted.dryRun { context.isDryRun.raise() }
                    return try await frames.retention(wanted)
                },
        ]
    }
}
