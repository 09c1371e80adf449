// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// A device that is open and streams, and all that there is only meanwhile; on the camera's thread.
///
/// Ends with the last reference to it: the stream is stopped and the device closed. Leases that are out stay readable
/// until they end.
final class OpenCamera {
    /// Counts the streams that the session has started, from 1.
    let number: UInt64
    /// When opening its device began.
    let began: MonotonicTime
    let device: any CaptureDevice
    /// What was granted to it.
    let granted: GrantedFormat
    /// Whether it has the largest size, for clients that want that, in place of the usual one.
    let isFullSize: Bool
    /// Whether it stays open though no client wants a frame.
    let staysOpen: Bool
    /// Its newest good frame.
    var newest: NewestFrame
    /// How many frames have come.
    var progress: StreamProgress
    /// When silence is a failure.
    var stall: StallRule
    /// Whether exposure and white balance have settled.
    var settling = SettleWork()
    /// What is known of the device's controls.
    var controls = ControlWatch()

    /// The stream of a device that has been started.
    init(
        _ number: UInt64,
        of device: any CaptureDevice,
        began: MonotonicTime,
        granted: GrantedFormat,
        isFullSize: Bool,
        staysOpen: Bool,
        newest: consuming NewestFrame,
        progress: StreamProgress,
        stall: StallRule
    ) {
        self.number = number
        self.began = began
        self.device = device
        self.granted = granted
        self.isFullSize = isFullSize
        self.staysOpen = staysOpen
        self.newest = newest
        self.progress = progress
        self.stall = stall
    }

    deinit { device.stop() }

    /// The time between two of its frames; zero where the driver has no notion of it.
    var interval: Duration { granted.format.interval?.duration ?? .zero }

    /// The frame that came last.
    var last: FrameKey { FrameKey(stream: number, ordinal: progress.taken) }

    /// Makes its newest frame one that others may have too, if there is one.
    func shareNewest() -> CapturedPicture? { newest.share(device) }
}

/// How many frames of a stream have come out of the driver.
struct StreamProgress {
    /// Buffers that were taken, good or not.
    var taken: UInt64 = 0
    /// When the driver's queue began to be emptied the last time: what came before is among those ``taken``.
    var emptiedAt: MonotonicTime
}
