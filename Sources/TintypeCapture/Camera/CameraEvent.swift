// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// What a camera's thread tells its session of a stream.
struct CameraEvent: Sendable {
    enum What: Sendable {
        /// The first good frame has come, at this moment, of a stream that did not follow another at once.
        case firstFrame(MonotonicTime, isFromOff: Bool)
        /// The first good frame has come that has a time, so that it is known to be of this stream.
        case firstTimedFrame
        /// A client waits for settled frames, or none does any more.
        case settling(isAwaited: Bool)
        /// The device has failed and is closed; clients may be left waiting whatever it failed with.
        case failed(DeviceError, keepsDemands: Bool)
        /// The source has changed, and the device is closed for it.
        case sourceChanged
        /// The machine was suspended for so long, and the device is closed for it.
        case suspended(Duration)
    }

    /// The number of the stream.
    let stream: UInt64
    let what: What

    /// Whether it tells of good frames.
    var isProgress: Bool {
        switch what {
        case .firstFrame, .firstTimedFrame: true
        case .settling, .failed, .sourceChanged, .suspended: false
        }
    }
}
