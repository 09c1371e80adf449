// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSystem

/// Takes a frame of one camera at every slot of a schedule, without a client's request.
///
/// A slot in which no frame could be had is missed and counted, as is one that passes while the one before is still at
/// work, or the machine asleep: it is never made up, and never filled with an old frame.
struct Publisher: Service {
    /// Takes, and stores or shows, one fresh still within `deadline`.
    typealias Take = @Sendable (_ deadline: Duration) async throws(Problem) -> StillRecord

    /// The wall clock is looked at again after this time at the latest: it may be set, and the other clock stands still while
    /// the machine is suspended.
    private static let glance = Duration.seconds(1)

    let times: SlotTimes
    /// The longest time that one frame may take, where the next slot does not come sooner.
    let longest: Duration
    let clock: any MonotonicClock
    let publication: Publication
    /// Called for one slot at a time, and cancelled when the daemon stops.
    let take: Take

    /// Publishes until graceful shutdown or cancellation, which also end the frame that is being taken.
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
        // Until the next slot; one that is late has half of the time all the same.
        let untilNext = next.map { $0 - clock.wall } ?? longest
        let deadline = max(min(longest, untilNext), times.every / 2)
        do throws(Problem) {
            publication.published(try await take(min(deadline, longest)))
        } catch {
            guard !Task.isCancelled else { return }
            publication.missed(slot, error)
        }
    }
}
