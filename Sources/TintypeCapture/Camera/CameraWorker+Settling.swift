// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Detects settled exposure and white balance; frames are analysed on the encoding threads, one at a time and only
/// while a client waits for settled ones.
extension CameraWorker {
    /// Starts settle tracking with the first good frame of a stream.
    func beginSettling(with stamp: FrameStamp, of camera: OpenCamera) {
        guard camera.settling.tracker == nil, !stamp.mayPrecedeStream else { return }
        let history = published.warmth.settling
        begin(
            SettleTracker.Start(
                first: FrameKey(stream: camera.number, ordinal: stamp.ordinal),
                began: stamp.dequeued,
                earliest: nil,
                interval: camera.interval,
                expected: history.expected
            ),
            of: camera
        )
    }

    /// Restarts settle tracking after controls were set: earlier frames say nothing about the next ones.
    func restartSettling() {
        guard let camera, camera.settling.tracker != nil else { return }
        context.motion?.restart()
        let now = clock.now
        begin(SettleTracker.Start(began: now, earliest: now, interval: camera.interval), of: camera)
    }

    /// Reports to the session whether a client waits for settled frames, for its state.
    func showSettling(isAwaited: Bool) {
        guard let camera, camera.settling.isAwaited != isAwaited else { return }
        camera.settling.isAwaited = isAwaited
        tell(.settling(isAwaited: isAwaited))
    }

    private func begin(_ start: SettleTracker.Start, of camera: OpenCamera) {
        let limit = published.warmth.settling.limit(interval: start.interval)
        camera.settling.tracker = SettleTracker(start)
        dispatcher.state.withLock { $0.settling.begin(stream: camera.number, until: start.began + limit) }
    }

    /// Adds the result of the last frame analysis.
    func takeLook() {
        // A result of the previous stream does not apply; the analysis of this one may still run.
        guard let camera, let look = context.looks.takeFinished(), look.key == camera.settling.pending else { return }
        camera.settling.pending = nil
        guard var tracker = camera.settling.tracker else { return }
        let settledFrom = tracker.add(look, exposure: camera.settling.exposure)
        camera.settling.tracker = tracker
        let isBlack = look.statistics?.isBlack == true
        dispatcher.state.withLock { [hasSeenChange = tracker.hasSeenChange, began = tracker.start.began] state in
            state.settling.record(
                at: look.stamp.dequeued,
                settledFrom: settledFrom,
                hasSeenChange: hasSeenChange,
                isBlackUntil: isBlack ? began + SettleTracker.blackLimit : nil
            )
        }
        if let settledFrom { learn(from: tracker, look, settledFrom) }
    }

    /// Records the settling time if the stream was tracked from its first frame.
    private func learn(from tracker: SettleTracker, _ look: FrameAnalysis, _ settledFrom: FrameKey) {
        guard let first = tracker.start.first, tracker.hasSeenFirst, let level = look.statistics else { return }
        published.updateWarmth { report in
            report.settling.add(
                frames: Int(look.key.ordinal - first.ordinal) + 1,
                time: max(.zero, look.stamp.dequeued - tracker.start.began),
                isAtOnce: settledFrom == first,
                level: level
            )
        }
    }

    /// Starts an analysis of the held frame if a client needs it, and reports whether one waits for settled frames.
    func lookAtHeldFrame() {
        guard let camera, camera.settling.tracker != nil, !shutter.isClosed else { return }
        let now = clock.now
        let need = dispatcher.settlingNeed(at: now)
        showSettling(isAwaited: need.isAwaited)
        guard camera.settling.pending == nil, need.wantsAnalysis,
            let shared = sharedFrame(of: camera, after: camera.settling.newest)
        else { return }
        camera.settling.pending = shared.key
        camera.settling.newest = shared.key
        context.encoding.look(at: shared, remembering: context.looks) { [context] look in
            context.looks.finish(look)
            context.thread.wake()
        }
        // The device is queried while the frame is analysed.
        readExposure(of: camera)
    }

    /// Reads the exposure controls, unless the device answers too slowly.
    private func readExposure(of camera: OpenCamera) {
        camera.settling.exposure = nil
        do throws(DeviceError) {
            if camera.settling.reader == nil {
                let began = clock.now
                let reader = try ControlReader(ExposureState.controls, of: camera.device)
                let isSlow = clock.now - began > SettleWork.slowToBegin
                camera.settling.reader = isSlow ? ControlReader() : reader
            }
            guard let reader = camera.settling.reader, !reader.isEmpty else { return }
            let began = clock.now
            let exposure = ExposureState(values: try reader.read())
            if clock.now - began > SettleWork.slow {
                camera.settling.reader = ControlReader()
            } else {
                camera.settling.exposure = exposure
            }
        } catch {
            fail(error, keepsDemands: true)
        }
    }

    /// Maximum age of an exposure and focus reading.
    private static let readingInterval = Duration.milliseconds(500)

    /// Reads exposure and focus, which are valid only for the frames of that moment, while clients take frames; a query
    /// takes a USB camera a millisecond or more.
    func readCameraIfDue() {
        let began = clock.now
        guard let camera, dispatcher.isInUse,
            began - camera.controls.readAt >= Self.readingInterval
        else { return }
        camera.controls.readAt = began
        do throws(DeviceError) {
            if camera.controls.reader == nil {
                camera.controls.reader = try ControlReader(CameraReading.controls, of: camera.device)
            }
            guard let reader = camera.controls.reader, !reader.isEmpty else { return }
            let reading = CameraReading(try reader.read(), readAt: began)
            published.update { $0.reading = reading }
            if let time = reading.time { camera.device.clock.exposure = time }
            // Frames wait meanwhile: do not query so slow a device again, and discard its reading.
            guard clock.now - began > SettleWork.slowToBegin else { return }
            camera.controls.reader = ControlReader()
            camera.device.clock.exposure = nil
        } catch {
            fail(error)
        }
    }
}

/// Settle detection state of a stream, on the camera's thread.
struct SettleWork {
    /// True until the stream has given a good frame.
    var isAwaitingFirst = true
    /// True while the first good frame is pending or a client waits for settled frames.
    var isAwaited = true
    /// Nil before the first good frame with a timestamp, which is known to be of this stream.
    var tracker: SettleTracker?
    /// The frame being analysed; one at a time, so that a slow analysis skips frames instead of queueing them.
    var pending: FrameKey?
    /// The newest frame analysed or being analysed.
    var newest: FrameKey?
    /// Exposure state read when ``newest`` arrived; nil if the device does not report it.
    var exposure: ExposureState?
    /// Reader of the exposure controls; nil until the device was queried for them.
    var reader: ControlReader?

    /// Maximum time to read all exposure controls: frames wait meanwhile.
    static let slow = Duration.milliseconds(10)
    /// Maximum time to enumerate the controls, once for each opening.
    static let slowToBegin = Duration.milliseconds(50)
}
