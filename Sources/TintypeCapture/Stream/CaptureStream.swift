// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// A stream that runs, and all that there is only while one does; on the session's thread.
final class CaptureStream {
    /// Counts the streams that the session has started, from 1.
    let number: UInt64
    /// When opening its device began.
    let began: MonotonicTime
    /// What was granted to it.
    let granted: GrantedFormat
    /// Whether it has the largest size, for clients that want that, in place of the usual one.
    let isFullSize: Bool
    /// Whether the largest size is the usual one; nil until a client has asked for the largest.
    var isUsualFullSize: Bool?
    /// The device, which is open; nil once the stream has ended.
    private(set) var device: (any CaptureDevice)?
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
    /// Whether the first good frame is awaited, or a client waits for settled ones.
    var isSettlingAwaited = true

    /// The stream of a device that has been started.
    init(
        _ number: UInt64,
        of device: any CaptureDevice,
        began: MonotonicTime,
        granted: GrantedFormat,
        isFullSize: Bool,
        newest: consuming NewestFrame,
        progress: StreamProgress,
        stall: StallRule
    ) {
        self.number = number
        self.began = began
        self.device = device
        self.granted = granted
        self.isFullSize = isFullSize
        self.newest = newest
        self.progress = progress
        self.stall = stall
    }

    /// The time between two of its frames; zero where the driver has no notion of it.
    var interval: Duration { granted.format.interval?.duration ?? .zero }

    /// The frame that came last.
    var last: FrameKey { FrameKey(stream: number, ordinal: progress.taken) }

    /// Makes its newest frame one that others may have too, if there is one.
    func shareNewest() -> CapturedPicture? { device.flatMap { newest.share($0) } }

    /// Ends the stream and closes the device; leases that are out stay readable until they end.
    func close() {
        device?.stop()
        device = nil
    }
}

/// How many frames of a stream have come out of the driver.
struct StreamProgress {
    /// Buffers that were taken, good or not.
    var taken: UInt64 = 0
    /// When the driver's queue began to be emptied the last time: what came before is among those ``taken``.
    var emptiedAt: MonotonicTime
}
