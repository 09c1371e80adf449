// SPDX-License-Identifier: Apache-2.0

/// How long before the driver's stamp the exposure of its frame began.
package enum StampLead: Hashable, Sendable {
    /// By what the driver says of its stamps, and the exposure and interval of the camera.
    case auto
    /// This long, as it was measured with the camera: zero to ``longest``.
    case fixed(Duration)

    /// A driver's stamp of longer ago is not believed.
    package static let longest = Duration.seconds(10)

    /// Reads `auto` or a time such as `50ms`; nil for other text.
    package init?(_ text: String) {
        if text == "auto" {
            self = .auto
        } else {
            guard let time = HumanDuration.parse(text), (.zero...Self.longest).contains(time) else { return nil }
            self = .fixed(time)
        }
    }
}

/// Where the lead of a camera comes from.
package enum LeadOrigin: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// From what the driver says of its stamps, and the exposure and interval of the camera.
    case assumed
    /// From the configuration.
    case configured
}

/// Where the time of a frame comes from.
package enum TimestampSource: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// The driver's stamp, taken at the start of exposure (`V4L2_BUF_FLAG_TSTAMP_SRC_SOE`).
    case startOfExposure
    /// The driver's stamp, taken at the end of the frame (`V4L2_BUF_FLAG_TSTAMP_SRC_EOF`), less exposure and readout.
    case endOfFrame
    /// The driver's stamp, taken when the first bytes of the frame arrived (uvcvideo), less its lead.
    case arrival
    /// The moment at which the buffer was taken from the driver, because its stamp cannot be believed.
    case dequeue
}
