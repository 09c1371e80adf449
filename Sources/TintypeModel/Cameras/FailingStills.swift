// SPDX-License-Identifier: Apache-2.0

/// Stills of a camera that failed, one after the other, and none since that did not.
package struct FailingStills: Equatable, Codable, WireObject {
    package var count = 1
    package var since: Timestamp
    package var problem: Problem

    /// Whether there are so many, three, that it is no accident.
    package var isLasting: Bool { count >= 3 }

    /// These and another one; nil where nothing failed so far and that has not either.
    ///
    /// A request that cannot be fulfilled, or was given up, says nothing of the camera, nor does a deadline that is shorter
    /// than the usual one, nor a picture that `reject` refused as asked; a spool has a state of its own.
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
