// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Judges frames of one camera for its alarms, and emits events when they begin and end; any thread, never blocks.
final class AlarmWatch: Sendable {
    private struct State {
        var rule: AlarmRule
        /// Begin of the condition of each alarm.
        var since: [CameraAlarm: Timestamp] = [:]
        /// One at a time, so that slow ones do not queue up.
        var isBusy = false
        /// The last judged frame, and the time at which that began.
        var last: (key: FrameKey, at: MonotonicTime)?
        var timer: (moment: MonotonicTime, id: UInt64)?
        /// True if the camera is removed: its thread may still hang in the driver, and go on later.
        var hasEnded = false

        /// True for a frame newer than the last one, unless another is being judged.
        func admits(_ key: FrameKey) -> Bool { !isBusy && last.map { key > $0.key } ?? true }
    }

    /// Least time between judged frames that clients take.
    static let interval = Duration.seconds(1)
    /// Least time between judged frames that nobody takes.
    static let idleInterval = Duration.seconds(10)

    private let camera: String
    private let clock: any MonotonicClock
    private let logger: Logger
    private let tell: EventSink
    private let state: Mutex<State>

    /// `limits` has the time that each condition must last; `tell` receives the events, under a lock.
    init(
        _ limits: [CameraAlarm: Duration],
        camera: String,
        clock: any MonotonicClock,
        logger: Logger,
        tell: @escaping EventSink
    ) {
        (self.camera, self.clock, self.logger, self.tell) = (camera, clock, logger, tell)
        state = Mutex(State(rule: AlarmRule(limits)))
    }

    /// True for a frame newer than the last judged one, `interval` after it, or ``interval`` if that one was damaged.
    func isDue(_ key: FrameKey, after interval: Duration) -> Bool {
        let now = clock.now
        return state.withLock { state in
            let interval = state.rule.isDamaged ? min(interval, Self.interval) : interval
            return state.admits(key) && state.last.map { now - $0.at >= interval } ?? true
        }
    }

    /// True if the last judged frame was damaged.
    var isDamaged: Bool { state.withLock(\.rule.isDamaged) }

    /// Must be followed by ``finish(_:of:isSteady:)``; false if another frame is being judged, or a newer one was.
    func begin(_ key: FrameKey) -> Bool {
        let now = clock.now
        return state.withLock { state in
            guard state.admits(key) else { return false }
            (state.isBusy, state.last) = (true, (key, now))
            return true
        }
    }

    /// `sample` is nil for a damaged frame; one that is not steady shows only whether it is damaged.
    func finish(_ sample: AlarmSample?, of frame: Frame, isSteady: Bool = true) {
        change { state, _ in
            state.isBusy = false
            let moment = frame.stamp.exposureStart
            return isSteady ? state.rule.add(sample, at: moment) : state.rule.add(isWhole: sample != nil, at: moment)
        }
    }

    func frameCame(isHidden: Bool) { change { $0.rule.frameCame(at: $1, isHidden: isHidden) } }
    func enter(_ name: SessionState.Name) { change { $0.rule.enter(name, at: $1) } }

    /// Called when the camera was stopped by command or, `forGood`, is removed.
    func end(forGood: Bool = false) {
        change { state, _ in
            state.hasEnded = forGood
            return state.rule.end()
        }
    }

    private func change(_ body: (inout State, MonotonicTime) -> [AlarmRule.Change]) {
        let now = clock.now
        state.withLock { state in
            guard !state.hasEnded else { return }
            for change in body(&state, now) { report(change, now, &state) }
            setTimer(&state)
        }
    }

    private func report(_ change: AlarmRule.Change, _ now: MonotonicTime, _ state: inout State) {
        let event: Event
        switch change {
        case .began(let alarm, let began):
            let since = clock.wall(at: began)
            state.since[alarm] = since
            event = .began(alarm, of: camera, since: since, for: now - began)
        case .ended(let alarm):
            event = .ended(alarm, of: camera, since: state.since.removeValue(forKey: alarm) ?? clock.wall)
        }
        tell(event)
        let level: Logger.Level = event.kind == .alarmBegan ? .warning : .notice
        logger.log(level: level, "\(event.detail)", metadata: ["alarm": "\(event.alarm?.rawValue ?? "")"])
    }

    /// An earlier timer is kept, so that not every frame sets it.
    private func setTimer(_ state: inout State) {
        guard let next = state.rule.nextCheck, state.timer.map({ next < $0.moment }) ?? true else { return }
        if let timer = state.timer { clock.cancelAlarm(timer.id) }
        state.timer = (next, clock.setAlarm(next) { [weak self] in self?.check() })
    }

    private func check() {
        change { state, now in
            state.timer = nil
            return state.rule.check(at: now)
        }
    }

    /// One entry for each configured alarm.
    var status: [AlarmStatus] {
        state.withLock { state in
            CameraAlarm.allCases.filter { state.rule.limits[$0] != nil }.map { AlarmStatus($0, since: state.since[$0]) }
        }
    }
}
