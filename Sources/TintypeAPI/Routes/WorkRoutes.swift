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
                .get("/v1/work/{batch}/{frame}", "workPicture", .work),
                "A picture of a claimed batch",
                replies: [.picture("The picture.", headers: [])],
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { _, context in
                let picture = try await jobs.picture(of: context.frameID("frame"), in: context.segment("batch"))
                return Response(jpeg: picture, [.cacheControl: "no-store"])
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
}
