// SPDX-License-Identifier: Apache-2.0

/// The reply to `GET /v1/cameras`.
package struct CameraList: Hashable, Sendable, Codable {
    package var cameras: [CameraStatus]

    /// A list of `cameras`.
    package init(cameras: [CameraStatus]) { self.cameras = cameras }
}

/// The reply to `GET /v1/cameras/{camera}/formats`.
package struct FormatList: Hashable, Sendable, Codable {
    package var formats: [FormatDescription]

    /// A list of `formats`.
    package init(formats: [FormatDescription]) { self.formats = formats }
}

/// The reply to `POST /v1/cameras/{camera}/stills`, or one line of it.
package struct StillList: Hashable, Sendable, Codable {
    /// The media type of a reply in lines, each a list of its own.
    package static let linesMediaType = "application/x-ndjson"

    package var stills: [StillRecord]
    package var missed: [MissedStill]?

    /// A list of `stills`.
    package init(stills: [StillRecord], missed: [MissedStill]? = nil) {
        self.stills = stills
        self.missed = missed
    }
}

extension CameraList: WireObject {
    package static let summary = "Every configured or discovered camera, by name."

    package static let fields: [Field] = [
        Field("cameras", \.cameras, "The cameras.")
    ]
}

extension FormatList: WireObject {
    package static let summary = "The formats that a camera offers, in the driver's order."

    package static let fields: [Field] = [
        Field("formats", \.formats, "The formats.")
    ]
}

extension StillList: WireObject {
    package static let summary = "The stills in order of capture."

    package static let fields: [Field] = [
        Field("stills", \.stills, "Their records."),
        Field(
            "missed",
            \.missed,
            """
            The stills of a burst that were not taken or not stored, in the order of the burst; absent if none is \
            missing.
            """
        ),
    ]
}
