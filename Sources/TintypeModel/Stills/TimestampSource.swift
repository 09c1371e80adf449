// SPDX-License-Identifier: Apache-2.0

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
