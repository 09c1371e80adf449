// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// How often a camera's `latest.jpg` is replaced, whatever is stored meanwhile; tintyped.yaml(5).
struct LatestSettings: Hashable, Sendable {
    /// The time from one picture to the next, from ``PublishSchedule/shortest`` to ``PublishSchedule/longest``.
    var every = Duration.seconds(1)
    /// The width that the picture must not exceed, in pixels; nil for any.
    var width: Int?
    /// Its JPEG quality; nil for the camera's.
    var quality: Int?

    /// The longest time that taking and writing one picture may take.
    static let longestDeadline = Duration.seconds(5)

    /// The request of one frame, to be taken within `deadline`.
    func request(within deadline: Duration) -> StillRequest {
        StillRequest(
            fresh: .request,
            deadline: deadline,
            rendering: StillRendering(quality: quality, width: width),
            keep: false
        )
    }
}

extension LatestSettings: CustomStringConvertible {
    /// As in `latest every 1s, width 640`.
    var description: String {
        "latest every \(HumanDuration.text(every))" + (width.map { ", width \($0)" } ?? "")
            + (quality.map { ", quality \($0)" } ?? "")
    }
}
