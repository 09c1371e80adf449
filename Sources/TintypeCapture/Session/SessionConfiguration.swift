// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
package import TintypeModel

/// How a session is to run: applied whole or not at all.
package struct SessionConfiguration: Hashable, Sendable {
    /// What is wanted of the format.
    package var format: FormatWish
    /// How long the device stays open when nobody asks.
    package var warmth: Warmth

    /// A configuration of these parts.
    package init(format: FormatWish = FormatWish(), warmth: Warmth = .linger(Warmth.defaultLinger)) {
        self.format = format
        self.warmth = warmth
    }
}
