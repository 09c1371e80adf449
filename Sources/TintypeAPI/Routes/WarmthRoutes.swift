// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    var warmthRoutes: [Route] {
        [
            Route(
                .post("/v1/cameras/{camera}/start", "start", .role(.control), .driver),
                "Open a camera and keep it streaming until it is stopped",
                reply: "The camera's status; the camera streams."
            ) { _, context in try await cameras.start(context.camera()) },
            Route(
                .post("/v1/cameras/{camera}/stop", "stop", .role(.control), .camera),
                "Close a camera, even a hot or held one, until the next request for it",
                reply: """
                    The camera's status; the camera is closed. While a driver call hangs, the reply is \
                    driver-stuck within a second, and the camera is closed when the call returns.
                    """
            ) { _, context in try await cameras.stop(context.camera()) },
            Route(
                .post("/v1/cameras/{camera}/hold", "hold", .role(.still), .driver),
                "Keep a camera streaming for some time; a second hold of the same owner extends the first",
                "The names of the daemon's own holds (motion, codes, trigger, publish, publish-2 and so on) are refused.",
                body: .required(HoldRequest.self, "The owner of the lease and its duration."),
                reply: "The lease; the camera streams, or will when the interruption has ended."
            ) { request, context in
                let wanted: HoldRequest = try await request.required(context.limits)
                guard !HoldRequest.isOfDaemon(wanted.owner) else {
                    let detail = "The owner “\(wanted.owner)” is kept for the daemon's own holds."
                    let remedy = "Hold the camera under another name (tintype hold --owner NAME)."
                    throw Problem(.invalidRequest, detail, remedy: remedy, field: "owner")
                }
                return try await cameras.hold(wanted, of: context.camera())
            },
            Route(
                .post("/v1/cameras/{camera}/release", "release", .role(.still), .camera),
                "End one lease or all; after the last one the camera returns to its configured warmth",
                "To end all, or one of the daemon itself (motion, codes, trigger, publish), takes the role control.",
                body: .optional(ReleaseRequest.self, "The owner of the lease; empty for all leases."),
                reply: "The remaining leases."
            ) { request, context in
                let wanted: ReleaseRequest = try await request.decoded(context.limits)
                let camera = try context.camera()
                if wanted.owner.map(HoldRequest.isOfDaemon) ?? true {
                    try context.caller.require(.control, for: camera)
                }
                return HoldList(holds: try await cameras.release(wanted, of: camera))
            },
        ]
    }
}
