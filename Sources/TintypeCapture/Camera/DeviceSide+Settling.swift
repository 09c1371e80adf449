// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Whether exposure and white balance have settled, looked at only while a client wants to know: on the encoding
/// threads, one frame at a time.
extension DeviceSide {
    /// A good frame has come; the first of a stream is where settling begins.
    func beginSettling(with stamp: FrameStamp, of camera: OpenCamera) {
        guard camera.settling.tracker == nil, !stamp.mayPrecedeStream else { return }
        let history = hub.warmth.settling
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

    /// Controls were set: what the frames have shown before says nothing about those to come.
    func restartSettling() {
        guard let camera, camera.settling.tracker != nil else { return }
        context.motion?.restart()
        let now = clock.now
        begin(SettleTracker.Start(began: now, earliest: now, interval: camera.interval), of: camera)
    }

    /// Tells whether a client waits for the stream to settle, for the state to say it.
    func showSettling(isAwaited: Bool) {
        guard let camera, camera.settling.isAwaited != isAwaited else { return }
        camera.settling.isAwaited = isAwaited
        tell(.settling(isAwaited: isAwaited))
    }

    private func begin(_ start: SettleTracker.Start, of camera: OpenCamera) {
        let limit = hub.warmth.settling.limit(interval: start.interval)
        camera.settling.tracker = SettleTracker(start)
        hub.beginSettling(stream: camera.number, until: start.began + limit)
    }

    /// Takes up what came of the last look.
    func takeLook() {
        // One of the stream before says nothing of this one, whose own look may go on.
        guard let camera, let look = context.looks.takeFinished(), look.key == camera.settling.pending else { return }
        camera.settling.pending = nil
        guard var tracker = camera.settling.tracker else { return }
        let settledFrom = tracker.add(look, exposure: camera.settling.exposure)
        camera.settling.tracker = tracker
        hub.recordLook(
            at: look.stamp.dequeued,
            settledFrom: settledFrom,
            hasSeenChange: tracker.hasSeenChange,
            isBlackUntil: look.statistics?.isBlack == true ? tracker.start.began + SettleTracker.blackLimit : nil
        )
        if let settledFrom { learn(from: tracker, look, settledFrom) }
    }

    /// Remembers how long it took, where it was followed from the first frame of the stream on.
    private func learn(from tracker: SettleTracker, _ look: FrameLook, _ settledFrom: FrameKey) {
        guard let first = tracker.start.first, tracker.hasSeenFirst, let level = look.statistics else { return }
        hub.updateWarmth { report in
            report.settling.add(
                frames: Int(look.key.ordinal - first.ordinal) + 1,
                time: max(.zero, look.stamp.dequeued - tracker.start.began),
                isAtOnce: settledFrom == first,
                level: level
            )
        }
    }

    /// Has the held frame looked at, if a client wants to know, and says in the state whether a client waits for it.
    func lookAtHeldFrame() {
        guard let camera, camera.settling.tracker != nil, !shutter.isClosed else { return }
        let now = clock.now
        showSettling(isAwaited: hub.isSettlingAwaited(at: now))
        guard camera.settling.pending == nil, hub.wantsLook(at: now),
            let shared = sharedFrame(of: camera, after: camera.settling.newest)
        else { return }
        camera.settling.pending = shared.key
        camera.settling.newest = shared.key
        context.encoding.look(at: shared, remembering: context.looks) { [context] look in
            context.looks.finish(look)
            context.thread.wake()
        }
        // The device is asked while the frame is looked at.
        readExposure(of: camera)
    }

    /// Asks the device how it exposes, unless it takes too long to answer.
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
}

extension DeviceSide {
    /// How long what the device said of its exposure and focus is taken as what it would say now.
    private static let readingInterval = Duration.milliseconds(500)

    /// Asks the device for its exposure and focus while clients take frames: what a camera with automatics says holds for
    /// the frames of that moment, and asking takes a USB camera a millisecond or more.
    func readCameraIfDue() {
        let began = clock.now
        guard let camera, hub.isInUse,
            began - camera.controls.readAt >= Self.readingInterval
        else { return }
        camera.controls.readAt = began
        do throws(DeviceError) {
            if camera.controls.reader == nil {
                camera.controls.reader = try ControlReader(CameraReading.controls, of: camera.device)
            }
            guard let reader = camera.controls.reader, !reader.isEmpty else { return }
            let reading = CameraReading(try reader.read(), readAt: began)
            hub.update { $0.reading = reading }
            if let time = reading.time { camera.device.clock.exposure = time }
            // Frames wait meanwhile: a device that takes so long is not asked again, and what it said does not hold for ever.
            guard clock.now - began > SettleWork.slowToBegin else { return }
            camera.controls.reader = ControlReader()
            camera.device.clock.exposure = nil
        } catch {
            fail(error)
        }
    }
}

/// What a camera's thread has in hand to tell whether its stream has settled.
struct SettleWork {
    /// Whether the stream has given no good frame yet.
    var isAwaitingFirst = true
    /// Whether the first good frame is awaited, or a client waits for settled ones.
    var isAwaited = true
    /// What the frames have told so far; nil before the first good one that has a time, so that it is known to be of this
    /// stream.
    var tracker: SettleTracker?
    /// The frame that is being looked at; one at a time, so that a slow look leaves frames out and piles up nothing.
    var pending: FrameKey?
    /// The newest frame that was looked at, or is.
    var newest: FrameKey?
    /// What the device said of its exposure when that frame had come; nil where it does not say.
    var exposure: ExposureState?
    /// What reads that; nil while the device has not been asked for its controls.
    var reader: ControlReader?

    /// Asking for all of them must take no longer than this at most: frames wait meanwhile.
    static let slow = Duration.milliseconds(10)
    /// Asking which there are, once for each opening.
    static let slowToBegin = Duration.milliseconds(50)
}
