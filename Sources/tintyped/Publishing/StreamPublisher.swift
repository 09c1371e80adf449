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

    let session: CaptureSession
    /// Every nth frame is stored; read at the start of each part of the day and of each occasion.
    let nth: @Sendable () -> Int
    let request: StillRequest
    /// Hours of the schedule; nil for always.
    let times: SlotTimes?
    /// Nil for always.
    var occasion: (any Occasion)?
    let keeper: CameraKeeper
    let publication: Publication
    let store: Store

    func run() async { await cancelWhenGracefulShutdown { await publish() } }

    private var isOpen: Bool {
        if let occasion, !occasion.isOpen { return false }
        return times?.allows(session.clock.wall) ?? true
    }

    private func publish() async {
        // Exposures of the frames handled for occasions, as far as the ring reaches back.
        var handled: [ClosedRange<MonotonicTime>] = []
        while !Task.isCancelled {
            guard isOpen else {
                publication.expect(times?.run(from: session.clock.wall)?.first)
                await pause()
                continue
            }
            publication.expect(nil)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await keeper.run() }
                var atWork = 0
                while isOpen, !Task.isCancelled {
                    await publishWhileOpen(&handled, &group, &atWork)
                    while atWork > 0, !isOpen {
                        await group.next()
                        atWork -= 1
                    }
                    if atWork == 0 { occasion?.finish() }
                }
                group.cancelAll()
            }
            if !Task.isCancelled { await keeper.release() }
        }
    }

    private func pause() async {
        let end = session.clock.now + Self.glance
        if let occasion, times == nil || !occasion.isOpen { return await occasion.begins(until: end) }
        try? await session.clock.sleep(for: Self.glance)
    }

    /// Stores frames until the hours or the occasion end, including pending frames; `atWork` tasks of `group` go on.
    ///
    /// For an occasion, frames of the ring that are not in `handled` come first.
    private func publishWhileOpen(
        _ handled: inout [ClosedRange<MonotonicTime>],
        _ group: inout TaskGroup<Void>,
        _ atWork: inout Int
    ) async {
        let nth = nth()
        let subscription = StillSubscription(session, request, nth: nth)
        defer { subscription.frames.close(isGone: true) }
        let ring = occasion == nil ? nil : session.ring
        // Earlier frames come from the ring.
        let boundary = ring == nil ? MonotonicTime(nanoseconds: .min) : session.clock.now
        var newest = boundary
        defer { if ring != nil, newest > boundary { _ = handled.take(boundary...newest) } }
        if let ring { handled.removeAll { $0.upperBound < boundary - ring.configuration.reach } }
        var uncounted: [SkipReason: Int] = [:]
        // Time since which all frames were skipped; nil after a usable one.
        var skipping: MonotonicTime?
        while !Task.isCancelled {
            if occasion?.ends() == true || !isOpen { subscription.frames.end() }
            // A second trigger may reach further back than the first.
            if ring != nil, let span = occasion?.span, span.lowerBound <= boundary {
                for part in handled.take(span.clamped(to: span.lowerBound...boundary)) {
                    group.addTask { await publishPast(part, nth: nth) }
                    atWork += 1
                }
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
                group.addTask { await publish(still, until: session.clock.now + Self.timeLimit) }
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

    private func publishPast(_ span: ClosedRange<MonotonicTime>, nth: Int) async {
        let moment = session.clock.wall(at: span.lowerBound)
        do throws(Problem) {
            let list = try await BurstOutput(session: session)
                .takePast(request, from: span.lowerBound, to: span.upperBound, nth: nth) {
                    (still, deadline) throws(Problem) in
                    // The ring gives n-th frames only.
                    for (reason, count) in still.record.skipped ?? [:] {
                        reportMissed(count, reason, at: still.record.capturedAt)
                    }
                    // One that cannot be stored is reported, and does not end the others.
                    await publish(still, until: deadline)
                    return still.record
                }
            for end in list.missed ?? [] {
                let slots = SlotTimer.Slots(first: moment, last: moment, count: 1)
                publication.missed(slots, end.code.rawValue, end.detail)
            }
        } catch {
            guard !Task.isCancelled else { return }
            publication.missed(moment, error)
        }
    }

    private func publish(_ still: Still, until deadline: MonotonicTime) async {
        do throws(Problem) {
            let record = try await store(still, deadline)
            publication.published(record.capturedAt, as: "\(record.id)")
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

/// Keeps a camera open with a lease like that of a client, but not one that was stopped by command.
struct CameraKeeper: Sendable {
    /// Duration of the lease, which is renewed well before its end.
    private static let lease = Duration.seconds(60)
    /// Time from a failure to the next attempt.
    private static let pause = Duration.seconds(5)
    /// Polling interval while stopped by command.
    private static let glance = Duration.seconds(1)

    let session: CaptureSession
    /// Owner of the lease, one for each schedule.
    let owner: String
    /// Gets the reason why the camera is not open; nil if its state is enough.
    let publication: Publication?
    var renewal = Duration.seconds(20)
    /// True while others use the lease of the same owner, which is not released then.
    var isShared: @Sendable () -> Bool = { false }

    func run() async {
        while !Task.isCancelled { try? await session.clock.sleep(for: await renewLease()) }
    }

    /// Returns the time to the next call.
    private func renewLease() async -> Duration {
        let stops = session.stopCount
        guard !session.isStopped else { return Self.glance }
        do throws(Problem) {
            _ = try await session.hold(HoldRequest(owner: owner, duration: Self.lease), ifStopped: stops)
            return renewal
        } catch {
            if Task.isCancelled || session.stopCount != stops || error.code == .stopping { return Self.glance }
            publication?.troubled(error)
            return Self.pause
        }
    }

    func release() async { _ = try? await session.release(ReleaseRequest(owner: owner), unless: isShared) }
}
