// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging

/// What came of a look at a frame.
struct FrameLook: Sendable {
    /// Which frame.
    let key: FrameKey
    /// When it was taken.
    let stamp: FrameStamp
    /// What it shows; nil if its bytes are no picture.
    let statistics: FrameStatistics?
}
