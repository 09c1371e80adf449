// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// Whether exposure and white balance have settled, looked at only while a client wants to know: on the encoding
/// threads, one frame at a time.
extension CaptureSession {
    /// A good frame has come; the first of a stream is where settling begins.
    func beginSettling(with stamp: FrameStamp, of stream: CaptureStream) {
        // What an undated stream begins with may hold anything.
        guard stream.settling.tracker == nil, stamp.source != .dequeue || stamp.ordinal > 1 else { return }
        let history = hub.warmth.settling
        begin(
            SettleTracker.Start(
                first: FrameKey(stream: stream.number, ordinal: stamp.ordinal),
                began: stamp.dequeued,
                earliest: nil,
                interval: stream.interval,
                expected: history.expected
            ),
            patience: history.patience(interval: stream.interval),
            of: stream
        )
    }

    /// Controls were set: what the frames have shown before says nothing about those to come.
    func restartSettling() {
        guard let stream = phase.stream, stream.settling.tracker != nil else { return }
        let now = MonotonicTime.now()
        begin(
            SettleTracker.Start(first: nil, began: now, earliest: now, interval: stream.interval, expected: nil),
            patience: hub.warmth.settling.patience(interval: stream.interval),
            of: stream
        )
    }

    private func begin(_ start: SettleTracker.Start, patience: Duration, of stream: CaptureStream) {
        stream.settling.tracker = SettleTracker(start)
        hub.beginSettling(stream: stream.number, until: start.began + patience)
    }

    /// Takes up what came of the last look.
    func takeLook() {
        guard let stream = phase.stream, let look = looks.takeFinished() else { return }
        stream.settling.pending = nil
        guard look.key.stream == stream.number, var tracker = stream.settling.tracker else { return }
        let settledFrom = tracker.add(look, exposure: stream.settling.exposure)
        stream.settling.tracker = tracker
        hub.recordLook(at: look.stamp.dequeued, settledFrom: settledFrom, hasSeenChange: tracker.hasSeenChange)
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
        guard let stream = phase.stream, stream.settling.tracker != nil, !controlState.shutter.isClosed else { return }
        let now = MonotonicTime.now()
        showSettling(isAwaited: hub.isSettlingAwaited(at: now))
        guard stream.settling.pending == nil, hub.wantsLook(at: now),
            let shared = sharedFrame(of: stream, after: stream.settling.newest)
        else { return }
        stream.settling.pending = shared.key
        stream.settling.newest = shared.key
        encoding.look(at: shared, remembering: looks) { [looks, thread] look in
            looks.finish(look)
            thread.wake()
        }
        // The device is asked while the frame is looked at.
        readExposure(of: stream)
    }

    /// Asks the device how it exposes, unless it takes too long to answer.
    private func readExposure(of stream: CaptureStream) {
        stream.settling.exposure = nil
        guard let device = stream.device else { return }
        let began = MonotonicTime.now()
        do throws(DeviceError) {
            switch stream.settling.controls {
            case .none: return
            case .unknown:
                let controls = try ExposureControls(of: device)
                let isSlow = MonotonicTime.now() - began > SettleWork.slowToBegin
                stream.settling.controls = controls.isEmpty || isSlow ? .none : .known(controls)
                if !isSlow { stream.settling.exposure = try controls.read() }
            case .known(let controls):
                stream.settling.exposure = try controls.read()
                guard MonotonicTime.now() - began > SettleWork.slow else { return }
                stream.settling.controls = .none
                stream.settling.exposure = nil
            }
        } catch {
            interrupt(error, keepsDemands: true)
        }
    }
}
