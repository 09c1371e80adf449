// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// What a camera's thread has in hand to tell whether its stream has settled.
struct SettleWork {
    /// Whether the stream has given no good frame yet.
    var isAwaitingFirst = true
    /// Whether the stream has given no good frame yet that has a time, so that it is known to be of this stream.
    var isAwaitingTimed = true
    /// Whether the first good frame is awaited, or a client waits for settled ones.
    var isAwaited = true
    /// What the frames have told so far; nil before the first good one of a stream.
    var tracker: SettleTracker?
    /// The frame that is being looked at; one at a time, so that a slow look leaves frames out and piles up nothing.
    var pending: FrameKey?
    /// The newest frame that was looked at, or is.
    var newest: FrameKey?
    /// What the device said of its exposure when that frame had come; nil where it does not say.
    var exposure: ExposureState?
    /// The controls that are read for it.
    var controls = Controls.unknown

    /// The controls that tell of the exposure.
    enum Controls {
        /// The device was not asked yet.
        case unknown
        /// It has these.
        case known(ExposureControls)
        /// It has none, or takes too long to answer.
        case none
    }

    /// Asking for all of them must take no longer than this at most: frames wait meanwhile.
    static let slow = Duration.milliseconds(10)
    /// Asking which there are, once for each opening.
    static let slowToBegin = Duration.milliseconds(50)
}
