// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// Cameras and their stills.
struct CameraRoutes: Sendable {
    let cameras: any CameraService
    let limits: ServerLimits

    func add(to router: Router<ControlContext>) {
        router.get("/v1/cameras") { _, _ in try Response(json: CameraList(cameras: await cameras.cameras())) }
        router.get("/v1/cameras/{camera}") { _, context in
            try Response(json: try await cameras.camera(try context.camera()))
        }
        router.get("/v1/cameras/{camera}/formats") { _, context in
            let formats = try await cameras.formats(of: try context.camera())
            return try Response(json: FormatList(formats: formats))
        }
        ConfigurationRoutes(cameras: cameras, limits: limits).add(to: router)
        router.post("/v1/cameras/{camera}/stills") { request, context in
            let wanted = try await request.decoded(StillRequest.self, limits) ?? StillRequest()
            let camera = try context.camera()
            let isTold = wanted.burst != nil && request.headers[.accept]?.contains(StillList.linesMediaType) == true
            guard isTold else {
                return try Response(taken: try await cameras.stills(wanted, of: camera) { _ in })
            }
            return Response(lines: { told throws(Problem) in
                try await cameras.stills(wanted, of: camera) { told.yield($0) }
            })
        }
        router.post("/v1/cameras/{camera}/examine") { request, context in
            let wanted = try await request.decoded(ExaminationRequest.self, limits) ?? ExaminationRequest()
            return try Response(json: try await cameras.examine(wanted, of: try context.camera()))
        }
        router.post("/v1/cameras/{camera}/tolerance/reset") { _, context in
            try Response(json: try await cameras.resetTolerance(of: try context.parameters.require("camera")))
        }
        router.get("/v1/cameras/{camera}/still.jpg") { request, context in
            let wanted = try StillRequest(query: request.uri.queryParameters.map { (String($0.key), String($0.value)) })
            // RFC 9110, 9.2.1 and 9.3.2: HEAD asks what GET would say, and changes nothing.
            if request.method == .head, wanted.keep { throw Problem.keptByHead }
            let still = try await cameras.still(wanted, of: try context.camera())
            return Response(still: still, hasIt: request.alreadyHas(still.record.id))
        }
    }
}

extension Problem {
    /// A picture is to be stored by a method that must not change anything.
    fileprivate static var keptByHead: Problem {
        .invalid(field: "keep", "cannot be true for HEAD, which stores nothing.", remedy: "Use GET, or leave keep out.")
    }
}
