// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSystem

/// Stores each n-th frame of a camera during the hours of its schedule, without a request.
///
/// Keeps the camera open meanwhile, as a hold does. If the disk cannot keep up, frames of this schedule are dropped and
/// counted as `overrun`; neither the camera nor clients are slowed.
struct StreamPublisher: Service {
    typealias Store = @Sendable (Still, MonotonicTime) async throws(Problem) -> StillRecord

    private static let glance = Duration.seconds(1)
    private static let timeLimit = Duration.seconds(5)

    /// Motion or a trigger, outside of which no frame is stored.
    struct Occasion: Sendable {
        /// Exposure of the first frame to store, which may be in the ring; nil while nothing happens.
        let start: @Sendable () -> MonotonicTime?
        let covers: @Sendable (MonotonicTime) -> Bool
        /// Suspends while nothing happens; may return at `moment`.
        let begins: @Sendable (_ moment: MonotonicTime) async -> Void
    }

    let session: CaptureSession
    /// Every nth frame is stored; read at the start of each part of the day and of each occasion.
    let nth: @Sendable () -> Int
    let request: StillRequest
    /// Hours of the schedule; nil for always.
    let times: SlotTimes?
    /// Nil for always.
    var occasion: Occasion?
    let keeper: CameraKeeper
    let publication: Publication
    let store: Store

    func run() async { await cancelWhenGracefulShutdown { await publish() } }

    private var isOpen: Bool {
        if let occasion, occasion.start() == nil { return false }
        guard let times else { return true }
        let now = session.clock.wall
        return times.run(from: now)?.first == now
    }

    private func publish() async {
        // Capture time up to which frames were handled.
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

    private func pause() async {
        let end = session.clock.now + Self.glance
        if let occasion, occasion.start() == nil { return await occasion.begins(end) }
        try? await session.clock.sleep(for: Self.glance)
    }

    /// Stores frames until the hours or the occasion end, including pending frames.
    ///
    /// Frames of the ring from the start of the occasion, but after `last`, come first. Returns the last capture time
    /// handled.
    private func publishWhileOpen(after last: MonotonicTime) async -> MonotonicTime {
        let nth = nth()
        let subscription = StillSubscription(session, request, nth: nth)
        defer { subscription.frames.close(isGone: true) }
        let start = session.ring == nil ? nil : occasion?.start()
        // Earlier frames come from the ring, and have been taken from it back to `oldest`.
        let boundary = start == nil ? MonotonicTime(nanoseconds: .min) : session.clock.now
        var (newest, oldest) = (max(last, boundary), boundary)
        var uncounted: [SkipReason: Int] = [:]
        // Time since which all frames were skipped; nil after a usable one.
        var skipping: MonotonicTime?
        await withTaskGroup(of: Void.self) { group in
            var atWork = 0
            while !Task.isCancelled {
                if !isOpen { subscription.frames.end() }
                // A second trigger may reach further back than the first.
                let begin = max(min(start ?? boundary, occasion?.start() ?? boundary), last + .nanoseconds(1))
                if begin < oldest {
                    group.addTask { [oldest] in await publishPast(from: begin, to: oldest, nth: nth) }
                    atWork += 1
                    oldest = begin - .nanoseconds(1)
                }
                while atWork >= BurstOutput.mostStoredAtOnce {
                    await group.next()
                    atWork -= 1
                }
                let step = await subscription.next(until: session.clock.now + Self.glance)
                let skipped = subscription.frames.takeUncounted()
                switch step {
                case .still(let still):
                    reportSkipped(skipped, of: subscription, &uncounted)
                    skipping = nil
                    let exposed = MonotonicTime(nanoseconds: still.record.capturedMonotonicNs ?? .max)
                    if let occasion, exposed <= boundary || !occasion.covers(exposed) { continue }
                    newest = max(newest, exposed)
                    group.addTask { await publish(still) }
                    atWork += 1
                case .end(let problem):
                    reportSkipped(skipped, of: subscription, &uncounted)
                    // Also returned on cancellation.
                    guard let problem, !Task.isCancelled else { return }
                    publication.troubled(problem)
                    try? await session.clock.sleep(for: Self.timeLimit)
                    return
                case nil:
                    // A held camera does not fail during interruptions, so its state is the only source of the reason.
                    if let reason = session.status.state.reason { publication.troubled(reason) }
                    guard !skipped.isEmpty else { continue }
                    let time = session.clock.now - (skipping ?? session.clock.now)
                    skipping = skipping ?? session.clock.now
                    // A still fails with this problem after the same time.
                    let problem = time >= request.deadline ? subscription.problem(within: time) : nil
                    reportSkipped(skipped, of: subscription, &uncounted, problem)
                }
            }
        }
        return newest
    }

    private func publishPast(from start: MonotonicTime, to end: MonotonicTime, nth: Int) async {
        do throws(Problem) {
            try await BurstOutput(session: session).takePast(request, from: start, to: end, nth: nth) {
                (still, deadline) throws(Problem) in
                // The ring gives n-th frames only.
                for (reason, count) in still.record.skipped ?? [:] {
                    reportMissed(count, reason, at: still.record.capturedAt)
                }
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

    /// Counts the frames passed over until now as missed; `uncounted` has those that remain.
    private func reportSkipped(
        _ passed: [SkipReason: Int],
        of subscription: StillSubscription,
        _ uncounted: inout [SkipReason: Int],
        _ problem: Problem? = nil
    ) {
        let moment = session.clock.wall
        for (reason, count) in passed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where reason != .stale {
            let (missed, rest) = subscription.missed(count + (uncounted[reason] ?? 0), reason)
            uncounted[reason] = rest
            if missed > 0 { reportMissed(missed, reason, at: moment, problem) }
        }
    }

    private func reportMissed(_ count: Int, _ reason: SkipReason, at moment: Timestamp, _ problem: Problem? = nil) {
        let slots = SlotTimer.Slots(first: moment, last: moment, count: count)
        let detail =
            reason == .overrun
            ? "Earlier frames were still being encoded or stored."
            : "Frames were passed over: \(reason.rawValue)."
        publication.missed(slots, reason.rawValue, detail, problem)
    }
}
