// SPDX-License-Identifier: Apache-2.0

/// What flashes of light say of a camera's time stamps.
package struct LeadEstimate: Hashable, Sendable {
    /// How long before the stamp the exposure of a frame's first row begins: the median of all flashes seen.
    package var lead: Duration
    /// Nine of ten flashes agree with ``lead`` within this, either way.
    package var spread: Duration
    /// The flashes that were seen.
    package var seen: Int
    /// How long each row is exposed.
    package var exposure: Duration
    /// How much later the exposure of the last row begins than that of the first.
    package var readout: Duration
}
