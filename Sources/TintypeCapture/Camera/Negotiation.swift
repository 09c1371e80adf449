// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
package import TintypeModel

/// What a session and a driver agreed on.
package struct Negotiation: Hashable, Sendable {
    /// What was asked for.
    package var asked: CaptureFormat
    /// What was granted.
    package var granted: GrantedFormat
    /// The input that was set; nil where the device has none.
    package var input: InputStatus?
    /// What of the configuration was not granted, a phrase each.
    package var unmet: [String]
}
