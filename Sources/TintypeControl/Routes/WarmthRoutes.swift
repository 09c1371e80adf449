// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// Warmth by command: start and stop, hold and release.
struct WarmthRoutes: Sendable {
    let cameras: any CameraService
    let limits: ServerLimits

    func add(to router: Router<ControlContext>) {
        router.post("/v1/cameras/{camera}/start") { _, context in
            try Response(json: try await cameras.start(try context.camera()))
        }
        router.post("/v1/cameras/{camera}/stop") { _, context in
            try Response(json: try await cameras.stop(try context.camera()))
        }
        router.post("/v1/cameras/{camera}/hold") { request, context in
            let wanted = try await request.required(HoldRequest.self, limits)
            return try Response(json: try await cameras.hold(wanted, of: try context.camera()))
        }
        router.post("/v1/cameras/{camera}/release") { request, context in
            let wanted = try await request.decoded(ReleaseRequest.self, limits) ?? ReleaseRequest()
            let left = try await cameras.release(wanted, of: try context.camera())
            return try Response(json: HoldList(holds: left))
        }
    }
}
