// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSystem

/// Stores each n-th frame that a camera gives, without a client's request, in the parts of the days of its schedule.
///
/// The camera is open meanwhile, as by a hold. A disk that cannot keep up loses frames of its own schedule, which are
/// counted as `overrun`; it slows neither the camera nor any client.
struct StreamPublisher: Service {
    /// Stores a still within a deadline, and returns its record.
    typealias Store = @Sendable (Still, MonotonicTime) async throws(Problem) -> StillRecord

    /// The wall clock is looked at again after this time at the latest.
    private static let glance = Duration.seconds(1)
    /// A still that takes longer to be stored is given up.
    private static let timeLimit = Duration.seconds(5)

    let session: CaptureSession
    let nth: Int
    let request: StillRequest
    /// The parts of the days; nil for always.
    let times: SlotTimes?
    /// Publishes only while there is motion; nil for always.
    var motion: MotionTrigger?
    let keeper: CameraKeeper
    let publication: Publication
    let store: Store

    /// Publishes until graceful shutdown or cancellation, which also end what is being stored.
    func run() async { await cancelWhenGracefulShutdown { await publish() } }

    private var isOpen: Bool {
        guard motion?.watch.isMoving ?? true else { return false }
        guard let times else { return true }
        let now = session.clock.wall
        return times.run(from: now)?.first == now
    }

    private func publish() async {
        // Until this moment everything is published that had to be.
        var last = MonotonicTime(nanoseconds: 0)
        while !Task.isCancelled {
            guard isOpen else {
                publication.expect(times?.run(from: session.clock.wall)?.first)
                await pause()
                continue
            }
            publication.expect(nil)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await keeper.run() }
                last = await publishWhileOpen(after: last)
                group.cancelAll()
            }
            if !Task.isCancelled { await keeper.release() }
        }
    }

    /// Waits until something may have changed of whether frames are published.
    private func pause() async {
        let end = session.clock.now + Self.glance
        if let motion, !motion.watch.isMoving { return await motion.watch.wait(for: true, until: end) }
        try? await session.clock.sleep(for: Self.glance)
    }

    /// Stores frames until the part of the day ends, or the motion; those that have come by then as well.
    ///
    /// Those of the ring that were exposed before the motion, but after `last`, come first. Returns up to when frames
    /// were taken.
    private func publishWhileOpen(after last: MonotonicTime) async -> MonotonicTime {
        let subscription = FrameSubscription(session, request, nth: nth)
        defer { subscription.close() }
        var taken = last
        await withTaskGroup(of: Void.self) { group in
            var atWork = 0
            if let motion, session.ring != nil, let began = motion.watch.began {
                let start = max(began - motion.before, last + .nanoseconds(1))
                // Each frame is exposed before this moment or after it.
                taken = session.clock.now
                group.addTask { [taken] in await publishPast(from: start, to: taken) }
                atWork += 1
            }
            while !Task.isCancelled {
                if !isOpen { subscription.end() }
                if atWork == BurstOutput.mostStoredAtOnce {
                    await group.next()
                    atWork -= 1
                }
                switch await subscription.next(until: session.clock.now + Self.glance) {
                case .still(let still, let passed):
                    count(passed, before: still)
                    let exposed = MonotonicTime(nanoseconds: still.record.capturedMonotonicNs ?? .max)
                    if let motion, exposed <= taken || !motion.watch.covers(exposed) { continue }
                    taken = exposed
                    group.addTask { await publish(still) }
                    atWork += 1
                case .end(let problem):
                    // A cancelled caller is told so, too.
                    guard let problem, !Task.isCancelled else { return }
                    publication.troubled(problem)
                    try? await session.clock.sleep(for: Self.timeLimit)
                    return
                case nil:
                    // The camera is held through its interruptions, so that nothing else says why no frame comes.
                    if let reason = session.status.state.reason { publication.troubled(reason) }
                }
            }
        }
        return taken
    }

    private func publishPast(from start: MonotonicTime, to end: MonotonicTime) async {
        do throws(Problem) {
            try await BurstOutput(session: session).takePast(request, from: start, to: end, nth: nth) {
                (still, deadline) throws(Problem) in
                do throws(Problem) {
                    let record = try await store(still, deadline)
                    publication.published(record)
                    return record
                } catch {
                    publication.missed(still.record.capturedAt, error)
                    throw error
                }
            }
        } catch {
            guard !Task.isCancelled else { return }
            publication.troubled(error)
        }
    }

    private func publish(_ still: Still) async {
        do throws(Problem) {
            publication.published(try await store(still, session.clock.now + Self.timeLimit))
        } catch {
            guard !Task.isCancelled else { return }
            publication.missed(still.record.capturedAt, error)
        }
    }

    /// Counts frames that were to be stored and could not be had.
    private func count(_ passed: [SkipReason: Int], before still: Still) {
        for (reason, count) in passed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            // Of frames that were not looked at it is not known whether they were among the n-th.
            guard nth == 1 || reason == .overrun || reason == .corrupt, reason != .stale else { continue }
            let moment = still.record.capturedAt
            publication.missed(
                SlotTimer.Slots(first: moment, last: moment, count: count),
                reason.rawValue,
                reason == .overrun
                    ? "Earlier frames were still being encoded or stored."
                    : "Frames were passed over: \(reason.rawValue)."
            )
        }
    }
}
