// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// Routes for spool status, verification and retention.
struct SpoolRoutes: Sendable {
    let frames: any FrameService
    let limits: BodyLimits

    var routes: [Route] {
        [
            Route(
                .get("/v1/spool", "spool", .role(.view)),
                "The state and the statistics of every spool",
                replies: [.json(SpoolList.self, "The spools.")]
            ) { _, _ in try Response(json: SpoolList(spools: await frames.spools())) },
            Route(
                .post("/v1/spool/verify", "verifySpool", .role(.admin)),
                "Compare folder and catalog and repair the differences; may take as long as reading all pictures",
                body: .optional(VerificationRequest.self, "Empty for all spools, without reading the pictures."),
                replies: [.json(VerificationList.self, "The differences found and repaired.")],
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, _ in
                let wanted = try await request.decoded(VerificationRequest.self, limits) ?? VerificationRequest()
                return try Response(json: try await frames.verify(wanted))
            },
            Route(
                .post("/v1/spool/retention", "applyRetention", .role(.admin)),
                "Apply the retention rules now, or list the frames that they would delete",
                body: .optional(RetentionRequest.self, "Empty to apply the rules to all spools."),
                replies: [.json(RetentionList.self, "The frames that are deleted, or would be.")],
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, _ in
                let wanted = try await request.decoded(RetentionRequest.self, limits) ?? RetentionRequest()
                return try Response(json: try await frames.retention(wanted))
            },
        ]
    }
}
