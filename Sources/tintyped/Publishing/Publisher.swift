// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
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
