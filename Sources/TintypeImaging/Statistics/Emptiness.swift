// SPDX-License-Identifier: Apache-2.0

/// Whether a picture shows anything.
package struct Emptiness: Hashable, Sendable {
    /// Whether all of it is as dark as a covered lens makes it.
    package var isBlack: Bool
    /// Whether all of it has one brightness and one colour.
    package var isUniform: Bool
}

extension FrameStatistics {
    /// Whether the frame shows anything.
    package var emptiness: Emptiness { Emptiness(isBlack: isBlack, isUniform: isUniform) }
}
