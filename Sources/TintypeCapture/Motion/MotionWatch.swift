// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

/// Watches one camera for motion, and emits events when it begins and ends; any thread, never blocks.
package final class MotionWatch: Sendable {
    private struct State {
        var rule: MotionRule
        /// True while a sample is being taken; one at a time, so that slow samples do not queue up.
        var isBusy = false
        var next = MonotonicTime(nanoseconds: .min)
        /// Start of the current or last motion; nil before the first.
        var began: MonotonicTime?
        var since: Timestamp?
        /// End of the last motion; nil while it lasts.
        var ended: MonotonicTime?
        var waiters: [Reply<Bool>] = []
    }

    private static let interval = Duration.milliseconds(200)

    private let camera: String
    private let clock: any MonotonicClock
    private let tell: EventSink
    private let state: Mutex<State>

    /// `tell` receives the events, under a lock.
    init(_ settings: MotionSettings, camera: String, clock: any MonotonicClock, tell: @escaping EventSink) {
        (self.camera, self.clock, self.tell) = (camera, clock, tell)
        state = Mutex(State(rule: MotionRule(settings)))
    }

    var isDue: Bool {
        let now = clock.now
        return state.withLock { !$0.isBusy && now >= $0.next }
    }

    /// Marks a sample as in progress; must be followed by ``finish(_:of:)``.
    func begin() {
        let now = clock.now
        state.withLock { state in
            state.isBusy = true
            let regular = state.next.nanoseconds == .min ? now : state.next + Self.interval
            state.next = regular > now ? regular : now + Self.interval
        }
    }

    /// Adds the sample of a frame; nil if the frame is damaged.
    func finish(_ sample: FrameStatistics?, of picture: Frame) {
        let moment = picture.stamp.exposureStart
        change { state in
            state.isBusy = false
            return sample.flatMap { state.rule.add($0, stream: picture.key.stream, at: moment) }
        }
    }

    func restart() { state.withLock { $0.rule.restart() } }
    func end() { change { $0.rule.end() } }

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

    package var isMoving: Bool { state.withLock(\.rule.isMoving) }
    package var began: MonotonicTime? { state.withLock { $0.rule.isMoving ? $0.began : nil } }

    package func covers(_ moment: MonotonicTime) -> Bool {
        state.withLock { state in
            guard let began = state.began, began <= moment else { return false }
            return state.ended.map { moment < $0 } ?? true
        }
    }

    /// Waits until motion is present or absent, as `isMoving` says, until `moment`, or until the task is cancelled.
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

    var status: MotionStatus {
        state.withLock { state in
            let isMoving = state.rule.isMoving
            return MotionStatus(isMoving: isMoving, since: isMoving ? state.since : nil, share: state.rule.share.tenths)
        }
    }
}

extension Double {
    fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}
