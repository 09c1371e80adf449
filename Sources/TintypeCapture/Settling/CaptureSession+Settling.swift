// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// Whether exposure and white balance have settled, looked at only while a client wants to know: on the encoding
/// threads, one frame at a time.
extension CaptureSession {
    /// The device was opened: nothing is known of its stream.
    func forgetSettling() {
        if let last = settleWork.tracker, last.hasSeenFirst, !last.isSettled {
            hub.updateWarmth { $0.settling.addFailure() }
        }
        hub.beginSettling(stream: stream, until: MonotonicTime(nanoseconds: .max))
        settleWork.isAwaitingFirst = true
        settleWork.tracker = nil
        settleWork.newest = nil
        settleWork.controls = .unknown
    }

    /// A good frame has come; the first of a stream is where settling begins.
    func noteFrame(_ stamp: FrameStamp) {
        // What an undated stream begins with may hold anything.
        guard settleWork.tracker == nil, stamp.source != .dequeue || stamp.ordinal > 1 else { return }
        let history = hub.warmth.settling
        beginSettling(
            SettleTracker.Start(
                first: FrameKey(stream: stream, ordinal: stamp.ordinal),
                began: stamp.dequeued,
                earliest: nil,
                interval: frameInterval,
                expected: history.expected
            ),
            patience: history.patience(interval: frameInterval)
        )
    }

    /// Controls were set: what the frames have shown before says nothing about those to come.
    func restartSettling() {
        guard settleWork.tracker != nil else { return }
        let now = MonotonicTime.now()
        beginSettling(
            SettleTracker.Start(first: nil, began: now, earliest: now, interval: frameInterval, expected: nil),
            patience: hub.warmth.settling.patience(interval: frameInterval)
        )
    }

    private func beginSettling(_ start: SettleTracker.Start, patience: Duration) {
        settleWork.tracker = SettleTracker(start)
        hub.beginSettling(stream: stream, until: start.began + patience)
    }

    private var frameInterval: Duration { granted?.format.interval?.duration ?? .zero }

    /// Takes up what came of the last look.
    func takeLook() {
        guard let look = looks.takeFinished() else { return }
        settleWork.pending = nil
        guard look.key.stream == stream, var tracker = settleWork.tracker else { return }
        let settledFrom = tracker.add(look, exposure: settleWork.exposure)
        settleWork.tracker = tracker
        hub.noteLook(at: look.stamp.dequeued, settledFrom: settledFrom, hasSeenChange: tracker.hasSeenChange)
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
        guard settleWork.tracker != nil, !controlState.isShutterClosed else { return }
        let now = MonotonicTime.now()
        showSettling(at: now)
        guard settleWork.pending == nil, hub.wantsLook(at: now), let shared = sharedFrame(after: settleWork.newest)
        else { return }
        settleWork.pending = shared.key
        settleWork.newest = shared.key
        encoding.look(at: shared, remembering: looks) { [looks, thread] look in
            looks.finish(look)
            thread.ring()
        }
        // The device is asked while the frame is looked at.
        readExposure()
    }

    /// The state is `settling` while a client waits for that, and `running` otherwise.
    func showSettling(at now: MonotonicTime) {
        guard state == .settling || state == .running else { return }
        let isAwaited = hub.isSettlingAwaited(at: now)
        guard isAwaited != (state == .settling) else { return }
        enter(isAwaited ? .settling : .running)
    }

    /// Asks the device how it exposes, unless it takes too long to answer.
    private func readExposure() {
        settleWork.exposure = nil
        guard let device else { return }
        let began = MonotonicTime.now()
        do throws(DeviceError) {
            switch settleWork.controls {
            case .none: return
            case .unknown:
                let controls = try ExposureControls(of: device)
                let isSlow = MonotonicTime.now() - began > SettleWork.slowToBegin
                settleWork.controls = controls.isEmpty || isSlow ? .none : .known(controls)
                if !isSlow { settleWork.exposure = try controls.read() }
            case .known(let controls):
                settleWork.exposure = try controls.read()
                guard MonotonicTime.now() - began > SettleWork.slow else { return }
                settleWork.controls = .none
                settleWork.exposure = nil
            }
        } catch {
            interrupt(error, keepsDemands: true)
        }
    }
}
