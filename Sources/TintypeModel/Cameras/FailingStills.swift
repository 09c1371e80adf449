// SPDX-License-Identifier: Apache-2.0

package struct FailingStills: Equatable, Codable, WireObject {
    package var count = 1
    package var since: Timestamp
    package var problem: Problem

    /// True after three failures, which is no accident.
    package var isLasting: Bool { count >= 3 }

    /// State after a still failed with `problem`; unchanged by failures that say nothing about the camera: invalid or
    /// cancelled requests, deadlines shorter than the default, pictures refused by `reject`, and spool errors.
    package static func adding(
        _ problem: Problem,
        deadline: Duration,
        to failing: FailingStills?,
        at now: Timestamp
    ) -> FailingStills? {
        switch problem.code {
        case .noSignal where problem.isRejection: return failing
        case .cameraBusy, .cameraDenied, .cameraRestricted, .deviceLost, .driverStuck, .noSignal, .usbBandwidth,
            .corruptOnly, .cameraFault, .internalError:
            break
        case .deadlineExceeded where deadline >= StillRequest.defaultDeadline: break
        default: return failing
        }
        return FailingStills(count: (failing?.count ?? 0) + 1, since: failing?.since ?? now, problem: problem)
    }

    package static let summary =
        "The stills of a camera that failed since the last successful one; missing if there are none."
    package static let fields: [Field] = [
        Field("count", \.count, "How many.", .positive),
        Field("since", \.since, "When the first of them failed."),
        Field("problem", \.problem),
    ]
}
