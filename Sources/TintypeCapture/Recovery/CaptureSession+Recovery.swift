// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// Takes silence for longer than the limit as a failure of the device, and frames of which none is whole as well.
    func checkForStall() {
        guard let device else { return }
        let now = MonotonicTime.now()
        let limit = stallLimit
        if now >= lastArrival + limit {
            // In low light an exposure may have become longer than the interval that was granted.
            let present = Self.stallLimit(granted?.format.interval?.duration, exposure: device.exposureTime())
            if present > limit {
                stallLimit = present
                hub.update { $0.stallLimit = present }
            }
            guard now >= lastArrival + max(limit, present) else { return }
            interrupt(
                .system(operation: "waiting for a frame", path: device.identity.path, errno: ETIMEDOUT),
                keepsDemands: true
            )
        } else if now >= lastGood + limit * Self.damagePatience {
            interrupt(.damaged(path: device.identity.path), keepsDemands: true)
        }
    }

    /// Silence for longer than this is a stall: ten frames, three exposures and the 2 s that a driver may take to
    /// begin.
    static func stallLimit(_ interval: Duration?, exposure: Duration?) -> Duration {
        max(.seconds(2), (interval ?? .zero) * 10, exposure.map { $0 * 3 + .seconds(2) } ?? .zero)
    }

    /// Frames that are all damaged are borne longer than silence: opening a camera again is slow.
    private static let damagePatience = 3

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
        nextAttempt = nil
        retry.reset()
        ring?.clear()
        // No longer held here: it must be gone before it is opened again.
        guard device != nil else { return false }
        logger.notice(
            "the machine was suspended; opening the camera again",
            metadata: ["bus": hub.bus, "slept": "\(HumanDuration.text(slept))"]
        )
        outage = outage ?? Outage(brokeStream: true)
        hub.count { $0.interrupted += 1 }
        closeDevice()
        openDevice(keepsDemands: true)
        return true
    }

    /// Logs a failure: the first of its kind in an outage as a warning, its repetitions at debug.
    ///
    /// Returns whether waiting clients do better to wait on.
    func noteFailure(_ error: DeviceError, _ problem: Problem, ofStream: Bool) -> Bool {
        var outage = outage ?? Outage(brokeStream: ofStream)
        let isNew = outage.note(problem.detail)
        self.outage = outage
        logger.log(
            level: isNew ? .warning : .debug,
            "\(problem.detail)",
            metadata: ["bus": hub.bus, "code": "\(problem.code.rawValue)"]
        )
        return outage.expectsRecovery(from: error)
    }

    /// Logs, once, that a driver call hangs: by the caller that notices, as the session's own thread cannot.
    nonisolated func noteStuck(_ problem: Problem) {
        guard !isKnownStuck.exchange(true, ordering: .relaxed) else { return }
        logger.warning("\(problem.detail)", metadata: ["bus": hub.bus, "code": "\(problem.code.rawValue)"])
    }

    /// The session's thread runs, so that no driver call hangs any more.
    func noteReturn() {
        guard isKnownStuck.load(ordering: .relaxed), isKnownStuck.exchange(false, ordering: .relaxed) else { return }
        logger.notice("the driver answers again", metadata: ["bus": hub.bus])
    }

    /// A good frame has come: whatever was wrong is over.
    func noteGoodFrame(_ stamp: FrameStamp) {
        // What an undated stream begins with may be left from before its trouble.
        guard stamp.source != .dequeue || stamp.ordinal > 1 else { return }
        lastGood = lastArrival
        if !excursion.isOut { endGap(at: lastArrival) }
        guard let outage else { return }
        self.outage = nil
        lastReason = nil
        retry.reset()
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
