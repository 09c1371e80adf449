// SPDX-License-Identifier: Apache-2.0

/// Format selected by purpose instead of size and rate.
///
/// Explicit values of a ``FormatWish`` override it.
package enum FormatPreset: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Largest size, at any rate.
    case photo
    /// Largest size up to 1920x1080, at about 30 frames per second.
    case high
    /// About 1280x720 at about 30 frames per second.
    case medium
    /// About 640x480 at about 15 frames per second.
    case low

    package var size: SizeWish {
        switch self {
        case .photo: .atMost(FrameSize(width: 65_535, height: 65_535))
        case .high: .atMost(FrameSize(width: 1920, height: 1080))
        case .medium: .near(FrameSize(width: 1280, height: 720))
        case .low: .near(FrameSize(width: 640, height: 480))
        }
    }

    /// Nil for any rate.
    package var rate: RateWish? {
        switch self {
        case .photo: nil
        case .high, .medium: .near(FrameInterval(framesPerSecond: 30))
        case .low: .near(FrameInterval(framesPerSecond: 15))
        }
    }
}
