// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel

/// Puts a frame of one camera into the spool at every slot of its schedule, without anybody asking.
///
/// The slots are the start and every `every` after it. A slot in which no frame could be had is missed and counted, as
/// is one that passes while the one before is still at work: it is never made up, and never filled with an old frame.
struct Publisher<C: Clock<Duration>>: Service {
    /// Takes and stores one fresh still within `deadline`.
    typealias Take = @Sendable (_ deadline: Duration) async throws(Problem) -> StillRecord

    /// The longest time that one frame may take: 5 s, or the time between two if that is shorter.
    static var longestDeadline: Duration { .seconds(5) }

    private let camera: String
    private let every: Duration
    private let clock: C
    private let logger: Logger
    private let take: Take
    private let missed: @Sendable (_ slots: Int) -> Void

    /// A publisher for `camera` with the schedule `schedule`.
    ///
    /// `clock` neither jumps nor runs while the machine is suspended: then the slots are late, not lost. `missed` is
    /// told how many slots were missed, each time that some were. `take` is called for one slot at a time, and
    /// cancelled when the daemon stops.
    init(
        camera: String,
        schedule: PublishSchedule,
        clock: C,
        logger: Logger,
        missed: @escaping @Sendable (_ slots: Int) -> Void,
        take: @escaping Take
    ) {
        self.camera = camera
        every = schedule.every
        self.clock = clock
        self.logger = logger
        self.missed = missed
        self.take = take
    }

    /// Publishes until graceful shutdown or cancellation, which also end the frame that is being taken.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await publish() }
            group.addTask { try? await gracefulShutdown() }
            await group.next()
            group.cancelAll()
        }
    }

    private func publish() async {
        let start = clock.now
        var failures = FailureRun(camera: camera, logger: logger)
        var slot = 0
        while !Task.isCancelled {
            do throws(Problem) {
                let record = try await take(min(every, Self.longestDeadline))
                failures.succeeded()
                logger.debug("published", metadata: ["camera": "\(camera)", "frame": "\(record.id)"])
            } catch {
                guard !Task.isCancelled else { return }
                failures.failed(error)
                missed(1)
            }
            guard let next = await nextSlot(after: slot, start: start) else { return }
            slot = next
        }
    }

    /// Waits for the next slot that has not begun; nil when cancelled.
    private func nextSlot(after slot: Int, start: C.Instant) async -> Int? {
        let passed = Int(start.duration(to: clock.now) / every)
        let next = max(slot, passed) + 1
        if next > slot + 1, !Task.isCancelled {
            missed(next - slot - 1)
            logger.debug("slots passed while a frame was stored", metadata: ["camera": "\(camera)"])
        }
        do {
            try await clock.sleep(until: start.advanced(by: every * next), tolerance: nil)
            return next
        } catch {
            return nil
        }
    }
}
