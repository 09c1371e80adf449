// SPDX-License-Identifier: Apache-2.0

package struct MotionStatus: Equatable, Codable, WireObject {
    package var isMoving: Bool
    package var since: Timestamp?
    package var share: Double

    package init(isMoving: Bool, since: Timestamp? = nil, share: Double) {
        self.isMoving = isMoving
        self.since = since
        self.share = share
    }

    package static let summary = "Whether something moves before a camera; missing if it is not watched for motion."
    package static let fields: [Field] = [
        Field("isMoving", \.isMoving, "Whether there is motion."),
        Field("since", \.since, "The time at which it began; missing while there is none."),
        Field(
            "share",
            \.share,
            "The share of the watched cells that differ from the background now, in percent.",
            ["minimum": 0, "maximum": 100]
        ),
    ]
}
