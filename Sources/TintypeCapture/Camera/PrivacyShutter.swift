// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

/// Privacy shutter of a camera, if it reports one (`V4L2_CID_PRIVACY`); on the camera's thread.
final class PrivacyShutter {
    private let context: CameraContext
    /// False for a camera without a shutter.
    private(set) var isClosed = false
    /// Time at which the shutter last changed; earlier exposures may be behind a closed shutter.
    private var changed = MonotonicTime(nanoseconds: .min)
    private var readAt = MonotonicTime.never

    /// Query interval while it is closed: not every driver reports its opening.
    private static let interval = Duration.seconds(1)

    init(_ context: CameraContext) { self.context = context }

    /// True for a frame exposed before the shutter opened.
    func hides(_ stamp: FrameStamp) -> Bool { stamp.exposureStart < changed }

    /// Reads the shutter; `isNew` discards the state of the previous device; throws if the device is gone.
    func read(of device: any CaptureDevice, isNew: Bool = false) throws(DeviceError) {
        context.published.updateControls { _ in }
        readAt = context.clock.now
        do throws(DeviceError) {
            if let isClosed = try DeviceControls(of: device).watchShutter() { set(closed: isClosed) } else { forget() }
        } catch {
            if case .disconnected = error { throw error }
            // Keep the last state read from this device.
            if isNew { forget() }
            context.logger.debug("the privacy shutter cannot be read", metadata: ["error": "\(error)"])
        }
    }

    /// Discards the state of the previous device's shutter: this camera has none.
    private func forget() {
        isClosed = false
        context.published.update { $0.controls?.isShutterClosed = nil }
    }

    func set(closed isClosed: Bool) {
        let isNews = self.isClosed != isClosed
        if isNews { (self.isClosed, changed) = (isClosed, context.clock.now) }
        // Before the state is published.
        if isNews, isClosed { context.dispatcher.forgetFrames() }
        context.published.updateControls { $0.isShutterClosed = isClosed }
        if isNews { context.logger.notice(isClosed ? "the privacy shutter is closed" : "the privacy shutter is open") }
    }

    /// Fails waiting clients if the shutter is closed: no image can be captured then, and dark pictures that a camera
    /// delivers nevertheless are not used.
    ///
    /// Rereads a closed shutter at most once a second; returns true if it is closed.
    func refusesFrames(of device: any CaptureDevice) throws(DeviceError) -> Bool {
        guard isClosed, context.dispatcher.need.isAwaited else { return isClosed }
        if context.clock.now - readAt >= Self.interval { try read(of: device) }
        guard isClosed else { return false }
        let problem = Problem(
            .noSignal,
            "The privacy shutter of the camera \(context.name) is closed: its pictures would be dark.",
            remedy: "Open the shutter, or press the camera's privacy key; where the camera lets itself be told, "
                + "“tintype controls set \(context.name) privacy=off” opens it.",
            retryAfter: .seconds(1)
        )
        context.dispatcher.change { $0.subscribers.fail(problem) }
        return true
    }
}
