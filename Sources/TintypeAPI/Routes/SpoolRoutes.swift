// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel
internal import TintypeSystem

extension ControlServices {
    var spoolRoutes: [Route] {
        [
            Route(
                .get("/v1/spool", "spool", .role(.view)),
                "The state and the statistics of every spool",
                reply: "The spools."
            ) { _, _ in SpoolList(spools: await frames.spools(within: .seconds(10))) },
            Route(
                .post("/v1/spool/verify", "verifySpool", .role(.admin)),
                "Compare folder and catalog and repair the differences; may take as long as reading all pictures",
                body: .optional(VerificationRequest.self, "Empty for all spools, without reading the pictures."),
                reply: "The differences found and repaired.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let wanted = try await request.decoded(VerificationRequest.self, context.limits)
                return try await frames.verify(wanted ?? VerificationRequest())
            },
            Route(
                .post("/v1/spool/retention", "applyRetention", .role(.admin)),
                "Apply the retention rules now, or list the frames that they would delete",
                body: .optional(RetentionRequest.self, "Empty to apply the rules to all spools."),
                reply: "The frames that are deleted, or would be.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let wanted = try await request.decoded(RetentionRequest.self, context.limits) ?? RetentionRequest()
                if wanted.dryRun { context.isDryRun.raise() }
                return try await frames.retention(wanted)
            },
        ]
    }
}
