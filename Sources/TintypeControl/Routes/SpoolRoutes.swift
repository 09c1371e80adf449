// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// The spools as a whole.
struct SpoolRoutes: Sendable {
    let frames: any FrameService
    let limits: ServerLimits

    func add(to router: Router<ControlContext>) {
        router.get("/v1/spool") { _, _ in try Response(json: SpoolList(spools: await frames.spools())) }
        router.post("/v1/spool/verify") { request, _ in
            let wanted = try await request.decoded(VerificationRequest.self, limits) ?? VerificationRequest()
            return try Response(json: try await frames.verify(wanted))
        }
        router.post("/v1/spool/retention") { request, _ in
            let wanted = try await request.decoded(RetentionRequest.self, limits) ?? RetentionRequest()
            return try Response(json: try await frames.retention(wanted))
        }
    }
}
