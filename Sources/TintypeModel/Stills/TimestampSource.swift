// SPDX-License-Identifier: Apache-2.0

/// Time between the start of exposure of a frame and the driver's time stamp.
package enum StampLead: Hashable, Sendable {
    /// Derived from the driver's time stamp flags and the camera's exposure time and frame interval.
    case auto
    /// Measured value from the configuration: zero to ``longest``.
    case fixed(Duration)

    /// Older time stamps of a driver are not trusted.
    package static let longest = Duration.seconds(10)

    /// Parses `auto` or a duration such as `50ms`.
    package init?(_ text: String) {
        if text == "auto" {
            self = .auto
        } else {
            guard let time = HumanDuration.parse(text), (.zero...Self.longest).contains(time) else { return nil }
            self = .fixed(time)
        }
    }
}

package enum LeadOrigin: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case assumed, configured
}

package enum TimestampSource: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Driver time stamp at the start of exposure (`V4L2_BUF_FLAG_TSTAMP_SRC_SOE`).
    case startOfExposure
    /// Driver time stamp at the end of the frame (`V4L2_BUF_FLAG_TSTAMP_SRC_EOF`), less exposure and readout.
    case endOfFrame
    /// Driver time stamp at the arrival of the first bytes (uvcvideo), less its lead.
    case arrival
    /// Time of VIDIOC_DQBUF; used if the driver's time stamp is not trusted.
    case dequeue
}
