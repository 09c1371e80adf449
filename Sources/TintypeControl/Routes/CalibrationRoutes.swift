// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// The calibration of a camera's time stamps.
struct CalibrationRoutes: Sendable {
    let cameras: any CameraService
    let limits: ServerLimits

    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/cameras/{camera}/calibration",
                "calibrate",
                .role(.control),
                "Measure how long before the driver's stamps the exposure begins, with a light that flashes",
                """
                The camera is open and watched until the reply. Meanwhile the client changes a light that the camera \
                sees, at random moments, and then tells the moments by POST …/calibration/flashes on another \
                connection; the reply here comes within two seconds. If the client disconnects, the calibration ends.
                """,
                body: .required(CalibrationRequest.self, "At most 64 KiB."),
                replies: [.json(Calibration.self, "The measured lead.")],
                failures: [.notFound, .conflict, .precondition, .unsupported, .notInTime, .spoolFailed]
            ) { request, context in
                let wanted = try await request.required(CalibrationRequest.self, limits)
                return try Response(json: try await cameras.calibrate(wanted, of: try context.camera()))
            },
            Route(
                .post,
                "/v1/cameras/{camera}/calibration/flashes",
                "tellFlashes",
                .role(.control),
                "Tell the running calibration when the light changed",
                body: .required(FlashList.self, "At most 64 KiB."),
                replies: [.empty("The calibration has the moments.")],
                failures: [.notFound]
            ) { request, context in
                try await cameras.tell(try await request.required(FlashList.self, limits), of: try context.camera())
                return Response(status: .noContent)
            },
            Route(
                .delete,
                "/v1/cameras/{camera}/calibration",
                "removeCalibration",
                .role(.control),
                "Forget the saved calibration",
                replies: [.empty("The calibration is forgotten.")],
                failures: [.notFound, .conflict, .notInTime, .spoolFailed]
            ) { _, context in
                try await cameras.removeCalibration(of: try context.camera())
                return Response(status: .noContent)
            },
        ]
    }
}
