// SPDX-License-Identifier: Apache-2.0

/// Whether a picture shows anything.
package struct Emptiness: Hashable, Sendable {
    /// Whether all of it is as dark as a covered lens makes it.
    package var isBlack: Bool
    /// Whether all of it has one brightness and one colour.
    package var isUniform: Bool

    /// An answer of these parts.
    package init(isBlack: Bool, isUniform: Bool) {
        self.isBlack = isBlack
        self.isUniform = isUniform
    }
}

extension FrameStatistics {
    /// Whether the frame shows anything.
    package var emptiness: Emptiness { Emptiness(isBlack: isBlack, isUniform: isUniform) }
}
