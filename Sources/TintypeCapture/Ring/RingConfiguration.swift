// SPDX-License-Identifier: Apache-2.0

/// How much of the past a camera keeps.
package struct RingConfiguration: Hashable, Sendable {
    /// How far it reaches back.
    package var seconds: Int
    /// The most memory that it takes, in MiB.
    package var megabytes: Int
    /// The JPEG quality of what is encoded for it: the camera's own, so that stills share the encode.
    package var quality: Int

    /// A ring of this size; what is left out has its default.
    package init(
        seconds: Int = RingConfiguration.defaultSeconds,
        megabytes: Int = RingConfiguration.defaultMegabytes,
        quality: Int
    ) {
        self.seconds = seconds
        self.megabytes = megabytes
        self.quality = quality
    }

    /// What ``seconds`` is where only the rest is said.
    package static let defaultSeconds = 5
    /// What ``megabytes`` is where only the rest is said.
    package static let defaultMegabytes = 32
    /// What ``seconds`` can be.
    package static let secondsRange = 1...3600
    /// What ``megabytes`` can be.
    package static let megabytesRange = 1...4096

    /// How far it reaches back.
    var reach: Duration { .seconds(seconds) }
    /// The most memory that it takes, in bytes.
    var byteCount: Int { megabytes << 20 }
}
