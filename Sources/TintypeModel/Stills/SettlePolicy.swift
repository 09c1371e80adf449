// SPDX-License-Identifier: Apache-2.0

/// Whether a still waits until exposure and white balance have settled after a start of the stream.
package enum SettlePolicy: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// It waits for as long as settling may take on the camera, and no longer than the deadline leaves time for a frame;
    /// then it is taken all the same, and its record says so.
    case auto
    /// It waits; at the deadline there is none.
    case always
    /// It does not wait.
    case never
}
