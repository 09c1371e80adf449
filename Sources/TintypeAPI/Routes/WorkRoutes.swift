// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

/// The protocol of the worker, `tintype work`.
extension ControlServices {
    var workRoutes: [Route] {
        [
            Route(
                .post("/v1/work", "work", .work),
                "Do the jobs: orders in one reply, whose end ends all claims",
                "Lines of JSON (WorkOrder), at least one every 5 s. One worker at a time.",
                replies: [.content(WorkOrder.mediaType, "The orders.", WorkOrder.schema)],
                failures: [.precondition]
            ) { _, context in
                let session = try jobs.connect(try context.caller.name)
                return Response(orders: session, while: context.isCurrent)
            },
            Route(
                .get("/v1/work/{batch}/{frame}", "workFile", .work),
                "The file of a frame of a claimed batch",
                parameters: RouteParameter.ofRanges,
                replies: RouteReply.file("The picture, film or clip.", headers: []),
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let file = try await jobs.file(of: context.frameID("frame"), in: context.segment("batch"))
                return Response(file: file, for: request, [.cacheControl: "no-store"])
            },
            Route(
                .get("/v1/work/{batch}/pictures", "workPictures", .work),
                "The pictures of the film of a claimed batch, oldest first, page by page",
                "The worker may read the pictures of the last page.",
                parameters: [.query("cursor", "The field next of the page before.", FrameCursor.schema)],
                reply: "A page.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let query = try FrameQuery(query: request.parameters(of: ["cursor"]) + [("order", "oldest")])
                return try await jobs.pictures(of: try context.segment("batch"), after: query.cursor)
            },
            Route(
                .get("/v1/work/{batch}/recording", "workRecording", .work),
                "The recording of the clip of a claimed batch",
                parameters: RouteParameter.ofRanges,
                replies: RouteReply.file("Its whole frames, as SMJPEG.", ["application/octet-stream"], headers: []),
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let file = try await jobs.recording(of: try context.segment("batch"))
                return Response(file: file, for: request, [.cacheControl: "no-store"])
            },
            Route(
                .put("/v1/work/{batch}/video", "putWorkVideo", .work),
                "Send the next part of the finished film or clip of a claimed batch",
                parameters: [.query("offset", "Bytes before this part; 0 begins anew.", Int.schema, isRequired: true)],
                body: Self.part,
                replies: [.empty("The part is written.")],
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                guard let text = try request.parameters(of: ["offset"]).first?.value, let offset = Int(text),
                    offset >= 0
                else {
                    throw Problem.invalid(field: "offset", "is no number of bytes.", remedy: "Give one, such as 0.")
                }
                var limits = context.limits
                limits.bytes = 1 << 20
                let part = Array(try await request.smallBody(limits).readableBytesView)
                try await jobs.receive(part, at: offset, of: try context.segment("batch"))
                return Response(status: .noContent)
            },
            Route(
                .post("/v1/work/{batch}", "reportWork", .work),
                "Report results of a claimed batch; replies once they are on the disk",
                body: .required(WorkReport.self, "The results; at most 64 KiB."),
                replies: [.empty("The results are noted.")],
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let report = try await request.required(WorkReport.self, context.limits)
                try await jobs.report(report, on: try context.segment("batch"))
                return Response(status: .noContent)
            },
        ]
    }

    private static let part = RouteBody(
        schema: ["type": "string", "format": "binary"],
        description: "The part; at most 1 MiB.",
        isRequired: true,
        mediaType: "application/octet-stream"
    )
}
