// SPDX-License-Identifier: Apache-2.0

/// A format by what it is for, where size and rate need not be known.
///
/// What a ``FormatWish`` says besides wins over it.
package enum FormatPreset: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// The largest size, at any rate that the camera has there.
    case photo
    /// The largest size up to 1920x1080, at 30 frames a second or near that.
    case high
    /// 1280x720 or near that, at 30 frames a second or near that.
    case medium
    /// 640x480 or near that, at 15 frames a second or near that.
    case low

    /// What it wishes of the size.
    package var size: SizeWish {
        switch self {
        case .photo: .atMost(FrameSize(width: 65_535, height: 65_535))
        case .high: .atMost(FrameSize(width: 1920, height: 1080))
        case .medium: .near(FrameSize(width: 1280, height: 720))
        case .low: .near(FrameSize(width: 640, height: 480))
        }
    }

    /// What it wishes of the rate; nil for none.
    package var rate: RateWish? {
        switch self {
        case .photo: nil
        case .high, .medium: .near(FrameInterval(framesPerSecond: 30))
        case .low: .near(FrameInterval(framesPerSecond: 15))
        }
    }
}
