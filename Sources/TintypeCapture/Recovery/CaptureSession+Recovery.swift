// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// Takes silence for longer than the limit as a failure of the device, and frames of which none is whole as well.
    func checkForStall() {
        guard let stream = phase.stream, let device = stream.device else { return }
        let now = MonotonicTime.now()
        switch stream.stall.finding(now: now) {
        case nil: return
        case .damaged: interrupt(.damaged(path: device.identity.path), keepsDemands: true)
        case .silent:
            let exposure = device.exposureTime()
            if stream.stall.allow(interval: stream.granted.format.interval?.duration, exposure: exposure) {
                let limit = stream.stall.limit
                hub.update { $0.stallLimit = limit }
            }
            guard stream.stall.finding(now: now) == .silent else { return }
            interrupt(
                .system(operation: "waiting for a frame", path: device.identity.path, errno: ETIMEDOUT),
                keepsDemands: true
            )
        }
    }

    /// After a suspend the driver's queue holds pictures from before it, whose age no clock that stood still can tell:
    /// opens the device again.
    ///
    /// `CLOCK_BOOTTIME` goes on meanwhile, `CLOCK_MONOTONIC` does not (clock_gettime(2)).
    ///
    /// - Returns: whether it did, or tried to.
    func reopenAfterSuspend() -> Bool {
        let total = asleep()
        let slept = total - sleptBefore
        sleptBefore = total
        guard slept > FrameHub.nap else { return false }
        // A camera that the bus is still finding again is worth an attempt at once, and then more.
        attempt(at: .now())
        recovery.beginAgain()
        ring?.clear()
        guard phase.stream != nil else { return false }
        logger.notice(
            "the machine was suspended; opening the camera again",
            metadata: ["bus": hub.bus, "slept": "\(HumanDuration.text(slept))"]
        )
        recovery.suspended(now: .now())
        hub.count { $0.interrupted += 1 }
        openDevice(keepsDemands: true)
        return true
    }

    /// Logs, once, that a driver call hangs: by the caller that notices, as the session's own thread cannot.
    nonisolated func reportStuck(_ problem: Problem) {
        guard !isKnownStuck.exchange(true, ordering: .relaxed) else { return }
        logger.warning("\(problem.detail)", metadata: ["bus": hub.bus, "code": "\(problem.code.rawValue)"])
    }

    /// The session's thread runs, so that no driver call hangs any more.
    func reportReturn() {
        guard isKnownStuck.load(ordering: .relaxed), isKnownStuck.exchange(false, ordering: .relaxed) else { return }
        logger.notice("the driver answers again", metadata: ["bus": hub.bus])
    }

    /// A good frame has come: whatever was wrong is over.
    func recordGoodFrame(_ stamp: FrameStamp, of stream: CaptureStream) {
        // What an undated stream begins with may be left from before its trouble.
        guard stamp.source != .dequeue || stamp.ordinal > 1 else { return }
        stream.stall.frameWasGood()
        if !stream.isFullSize { endGap(at: stream.stall.lastGood) }
        guard let outage = recovery.goodFrameCame() else { return }
        logger.notice(
            "the camera is back",
            metadata: [
                "after": "\(HumanDuration.text(MonotonicTime.now() - outage.began))",
                "bus": hub.bus,
                "failures": "\(outage.failures)",
            ]
        )
    }
}

extension FrameHub {
    /// Where the camera is attached, as its driver said when it was last open; for the log.
    var bus: Logger.MetadataValue { "\(snapshot.identity?.busInfo ?? "unknown")" }
}
