// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

/// Watches the pictures of one camera for motion, and tells when it begins and ends.
///
/// Any thread; never blocks.
package final class MotionWatch: Sendable {
    private struct State {
        var rule: MotionRule
        /// Whether a sample is being taken: one at a time, so that slow ones pile up nothing.
        var isBusy = false
        /// When the next one is due.
        var next = MonotonicTime(nanoseconds: .min)
        /// When the motion began, or the last one; nil before the first.
        var began: MonotonicTime?
        /// The same by the wall clock.
        var since: Timestamp?
        /// When that ended; nil while it has not.
        var ended: MonotonicTime?
        var waiters: [Reply<Bool>] = []
    }

    /// The time between two samples: a few a second tell of what a person wants to know.
    private static let interval = Duration.milliseconds(200)

    private let camera: String
    private let clock: any MonotonicClock
    private let tell: EventSink
    private let state: Mutex<State>

    /// Watches `camera`; `tell` gets the events, under a lock.
    init(_ settings: MotionSettings, camera: String, clock: any MonotonicClock, tell: @escaping EventSink) {
        self.camera = camera
        self.clock = clock
        self.tell = tell
        state = Mutex(State(rule: MotionRule(settings)))
    }

    // MARK: - Samples

    /// Whether a sample of the newest frame is wanted.
    var isDue: Bool {
        let now = clock.now
        return state.withLock { !$0.isBusy && now >= $0.next }
    }

    /// A sample is being taken; ``finish(_:of:)`` has to follow.
    func begin() {
        let now = clock.now
        state.withLock { state in
            state.isBusy = true
            let regular = state.next.nanoseconds == .min ? now : state.next + Self.interval
            state.next = regular > now ? regular : now + Self.interval
        }
    }

    /// Takes the sample of a frame; nil if that is damaged.
    func finish(_ sample: FrameStatistics?, of picture: CapturedPicture) {
        let moment = picture.stamp.exposureStart
        change { state in
            state.isBusy = false
            return sample.flatMap { state.rule.add($0, stream: picture.key.stream, at: moment) }
        }
    }

    /// Learns the background again: the controls of the camera were changed.
    func restart() { state.withLock { $0.rule.restart() } }

    /// Ends the motion, if there is any: the camera gives no pictures.
    func end() { change { $0.rule.end() } }

    /// Makes a change, tells of what it began or ended, and wakes those who wait.
    private func change(_ body: (inout State) -> MotionRule.Change?) {
        let now = clock.now
        let waiters = state.withLock { state -> [Reply<Bool>] in
            guard let change = body(&state) else { return [] }
            switch change {
            case .began(let moment):
                (state.began, state.since, state.ended) = (moment, clock.wall(at: moment), nil)
                tell(.motionBegan(share: state.rule.share.tenths, before: camera))
            case .ended:
                state.ended = now
                tell(.motionEnded(share: state.rule.largestShare.tenths, before: camera))
            }
            return exchange(&state.waiters, with: [])
        }
        for waiter in waiters { waiter.resolve(.success(true)) }
    }

    // MARK: - Motion

    /// Whether there is motion.
    package var isMoving: Bool { state.withLock(\.rule.isMoving) }

    /// When the motion began that there is; nil while there is none.
    package var began: MonotonicTime? { state.withLock { $0.rule.isMoving ? $0.began : nil } }

    /// Whether there was motion at a moment, as far as the last one reaches back.
    package func covers(_ moment: MonotonicTime) -> Bool {
        state.withLock { state in
            guard let began = state.began, began <= moment else { return false }
            return state.ended.map { moment < $0 } ?? true
        }
    }

    /// Returns once there is motion, or none, as `isMoving` says; at `moment` at the latest, and when the task is
    /// cancelled.
    package func wait(for isMoving: Bool, until moment: MonotonicTime) async {
        while !Task.isCancelled, clock.now < moment {
            let reply = state.withLock { state -> Reply<Bool>? in
                guard state.rule.isMoving != isMoving else { return nil }
                let reply = Reply<Bool>(clock: clock)
                state.waiters.removeAll { !$0.isAwaited }
                state.waiters.append(reply)
                return reply
            }
            guard let reply else { return }
            _ = await reply.wait(until: moment)
        }
    }

    /// What is known of it.
    var status: MotionStatus {
        state.withLock { state in
            MotionStatus(
                isMoving: state.rule.isMoving,
                since: state.rule.isMoving ? state.since : nil,
                share: state.rule.share.tenths
            )
        }
    }
}

extension Double {
    /// The same with one digit behind the point.
    fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}
