// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

extension CaptureSession {
    /// Opens, configures and starts the device, closing the current stream first; on failure returns the error, and
    /// fails waiting clients unless `keepsDemands`.
    @discardableResult
    func openDevice(keepsDemands: Bool = false, isFullSize: Bool = false) async -> DeviceError? {
        use.opens()
        // Only this: holds and starts are published once the device is open.
        published.updateWarmth { $0.use.opens() }
        enter(.opens)
        let plan = OpeningPlan(
            number: streamCount + 1,
            began: clock.now,
            configuration: configuration,
            wishes: controlState.wishes,
            staysOpen: !isFullSize && (use.keepsOpen(configuration.warmth) || configuration.warmth != .cold),
            isRetried: use.keepsOpen(configuration.warmth),
            isFullSize: isFullSize,
            firstFrameLimit: recovery.firstFrame.limit
        )
        do throws(DeviceError) {
            let negotiation = try await onThread { (side) throws(DeviceError) in try side.open(plan) }
            streamCount = plan.number
            enter(
                .streams(
                    CaptureStream(
                        number: plan.number,
                        began: plan.began,
                        format: negotiation.granted.format,
                        isLargest: negotiation.isLargest,
                        isFullSize: isFullSize
                    )
                )
            )
            return nil
        } catch {
            let awaitsSignal = plan.isRetried ? await thread.run { $0.awaitsSignal } : nil
            interrupt(error, keepsDemands: keepsDemands, awaitsSignal: awaitsSignal ?? false)
            return error
        }
    }

    /// Closes the device after a failure, unless `awaitsSignal`, and plans the next attempt; waiting clients fail at
    /// once, unless the camera is likely back before their deadlines, and live streams at theirs.
    func interrupt(_ error: DeviceError, keepsDemands: Bool = false, awaitsSignal: Bool = false) {
        let now = clock.now
        let plan = recovery.plan(
            after: error,
            brokeStream: phase.stream != nil,
            isJustMade: isJustMade(error),
            awaitsSignal: awaitsSignal,
            now: now
        )
        published.count { $0.interrupted += 1 }
        published.update { $0.failure = SessionSnapshot.Failure(reason: plan.reason, at: now) }
        let isWaitedFor = keepsDemands || plan.keepsWaiting
        let isAwaited = isWaitedFor ? dispatcher.need.isAwaited : dispatcher.need.isAwaitedThroughFailure
        enter(
            .fails(
                Interruption(
                    reason: plan.reason,
                    since: now,
                    nextAttempt: now + plan.delay,
                    earliest: now + plan.earliest
                ),
                isRetried: use.keepsOpen(configuration.warmth) || isAwaited
            )
        )
        logger.log(
            level: plan.isNew ? .warning : .debug,
            "\(plan.reason.detail)",
            metadata: [
                "bus": published.bus, "code": "\(plan.reason.code.rawValue)", "state": "\(state.name.rawValue)",
                MessageID.key: "\(MessageID.cameraLost)",
            ]
        )
        if !isWaitedFor { dispatcher.change { $0.subscribers.fail(plan.reason) } }
    }

    /// True if the node was created within the last 5 s, so udev may not have set its group yet (udev(7)).
    private func isJustMade(_ error: DeviceError) -> Bool {
        guard case .denied(let path) = error else { return false }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return Self.isJustMade(changed: Timestamp(status.st_ctim), now: clock.wall)
    }

    /// True if `changed` is within the last 5 s; a future time, left by a clock that was set back, does not count.
    static func isJustMade(changed: Timestamp, now: Timestamp) -> Bool {
        (.zero..<(.seconds(5))).contains(now - changed)
    }
}
