// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSystem

/// Takes a frame of a camera at each slot of a schedule.
///
/// A slot without a frame is missed and counted. So is a slot that passes while the previous one is still in progress,
/// or during suspend. Missed slots are never made up, or filled with an old frame.
struct Publisher: Service {
    /// Greatest time between two readings of the wall clock, which may be set, and runs on during suspend.
    private static let glance = Duration.seconds(1)

    let times: SlotTimes
    /// Time limit of a frame, read at each slot; the next slot may shorten it.
    let longest: @Sendable () -> Duration
    let clock: any MonotonicClock
    let publication: Publication
    /// Takes a fresh still within `deadline`, and stores it or shows it as `latest.jpg`, or begins a clip.
    ///
    /// Returns time and id; for one slot at a time.
    let take: @Sendable (_ deadline: Duration) async throws(Problem) -> (Timestamp, String)

    func run() async { await cancelWhenGracefulShutdown { await publish() } }

    private func publish() async {
        let start = clock.sinceBoot
        var timer = SlotTimer(times, start: clock.wall)
        var wasBusy = false
        while !Task.isCancelled {
            let step = timer.step(at: clock.wall, elapsed: clock.sinceBoot - start, wasBusy: wasBusy)
            publication.expect(timer.upcoming)
            if let missed = step.missed {
                let (reason, detail) =
                    wasBusy
                    ? (PublishingStatus.busy, "The frame before was still being taken or stored.")
                    : (PublishingStatus.asleep, "Neither the machine nor tintyped ran.")
                publication.missed(missed, reason, detail)
            }
            if let amount = step.clockSet { publication.clockSet(by: amount) }
            wasBusy = step.due != nil
            if let slot = step.due {
                await publish(slot, next: timer.upcoming)
            } else {
                try? await clock.sleep(for: min(step.wait, Self.glance))
            }
        }
    }

    private func publish(_ slot: Timestamp, next: Timestamp?) async {
        // Until the next slot, but at least half of the interval for a late slot.
        let longest = longest()
        let untilNext = next.map { $0 - clock.wall } ?? longest
        let deadline = max(min(longest, untilNext), times.every / 2)
        do throws(Problem) {
            let (capturedAt, id) = try await take(min(deadline, longest))
            publication.published(capturedAt, as: id)
        } catch {
            guard !Task.isCancelled else { return }
            publication.missed(slot, error)
        }
    }
}

/// Results of one schedule of a camera, for status and log, with one warning for a run of failures; never blocks.
final class Publication: Sendable {
    private struct State {
        var status: PublishingStatus
        /// Since the last frame; nil if nothing was missed.
        var reason: String?
        /// Missed since the last frame.
        var run: (first: Timestamp, last: Timestamp, count: UInt64)?
    }

    private let camera: String
    private let state: Mutex<State>
    private let counters: PublishedState?
    private let logger: Logger
    private let tell: EventSink

    /// `counters`, if given, count published frames and missed slots for the camera.
    init(camera: String, schedule: String, counters: PublishedState?, logger: Logger, tell: @escaping EventSink) {
        (self.camera, self.counters, self.tell) = (camera, counters, tell)
        state = Mutex(State(status: PublishingStatus(schedule: schedule)))
        var logger = logger
        logger[metadataKey: "camera"] = "\(camera)"
        logger[metadataKey: "schedule"] = "\(schedule)"
        self.logger = logger
    }

    var status: PublishingStatus { state.withLock { $0.status } }
    func expect(_ moment: Timestamp?) { state.withLock { $0.status.next = moment } }

    func published(_ capturedAt: Timestamp, as id: String) {
        let (run, wasTroubled) = state.withLock { state in
            defer { (state.run, state.reason) = (nil, nil) }
            state.status.published += 1
            // Several are stored at once.
            state.status.lastPublishedAt = max(state.status.lastPublishedAt ?? capturedAt, capturedAt)
            state.status.problem = nil
            return (state.run, state.reason != nil)
        }
        counters?.count { $0.published += 1 }
        logger.debug("published", metadata: ["frame": "\(id)"])
        guard wasTroubled else { return }
        let missed: Logger.Metadata? = run.map { run in
            ["missed": "\(run.count)", "first": "\(run.first)", "last": "\(run.last)"]
        }
        logger.info("frames are published again", metadata: missed)
    }

    func missed(_ slot: Timestamp, _ problem: Problem) {
        let slots = SlotTimer.Slots(first: slot, last: slot, count: 1)
        missed(slots, problem.code.rawValue, problem.detail, problem)
    }

    /// Records a problem that affects no countable slots.
    func troubled(_ problem: Problem) {
        let code = problem.code.rawValue
        let isFirst = state.withLock { state in
            defer { (state.status.problem, state.reason) = (problem, code) }
            return state.reason != code
        }
        let facts: Logger.Metadata = ["code": "\(code)", MessageID.key: "\(MessageID.publishingFailed)"]
        logger.log(level: isFirst ? .warning : .debug, "no frames published: \(problem)", metadata: facts)
    }

    func clockSet(by amount: Duration) {
        let (direction, size) = amount < .zero ? ("back", .zero - amount) : ("forward", amount)
        logger.notice("the wall clock was set \(direction)", metadata: ["by": "\(HumanDuration.text(size))"])
    }

    /// `problem` is nil if neither camera nor spool is the cause.
    func missed(_ slots: SlotTimer.Slots, _ reason: String, _ detail: String, _ problem: Problem? = nil) {
        let (first, last, count) = (slots.first, slots.last, UInt64(slots.count))
        let slots = MissedSlots(first: first, last: last, count: count, reason: reason, detail: detail)
        let isFirst = state.withLock { state in
            defer { state.reason = reason }
            state.status.addMissed(slots, asNewRun: state.reason != reason)
            state.status.problem = problem ?? state.status.problem
            state.run = (state.run?.first ?? first, last, (state.run?.count ?? 0) + count)
            return state.reason != reason
        }
        counters?.count { $0.missedSlots += count }
        tell(.missed(slots, of: camera, by: status.schedule))
        var metadata: Logger.Metadata = [
            "slot": "\(first)", "code": "\(reason)", MessageID.key: "\(MessageID.publishingFailed)",
        ]
        if count > 1 {
            metadata["last"] = "\(last)"
            metadata["count"] = "\(count)"
        }
        let text = problem.map { "\($0)" } ?? detail
        logger.log(level: isFirst ? .warning : .debug, "no frame published: \(text)", metadata: metadata)
    }
}
