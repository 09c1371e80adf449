// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Judges frames of one camera for its alarms, and emits events when they begin and end; any thread, never blocks.
final class AlarmWatch: Sendable {
    private struct State {
        var rule: AlarmRule
        var since: [CameraAlarm: Timestamp] = [:]
        /// One at a time, so that slow ones do not queue up.
        var isBusy = false
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

    var status: [AlarmStatus] {
        state.withLock { state in
            CameraAlarm.allCases.filter { state.rule.limits[$0] != nil }.map { AlarmStatus($0, since: state.since[$0]) }
        }
    }
}

/// Conditions of one camera, and the alarms for those that have lasted, with the time as an argument.
///
/// Black, uniform and frozen begin and end with a judged frame, also while the camera is closed in between. There is no
/// picture from the last good frame on, while the camera is in use or has failed, and after each use that gave none.
struct AlarmRule {
    enum Change: Hashable {
        case began(CameraAlarm, since: MonotonicTime)
        case ended(CameraAlarm)
    }

    /// Time for the first frame of an attempt after a failure, before there is an alarm without another failure.
    static let attempt = Duration.seconds(15)
    /// Least time of a use for its lack of a frame to be the camera's fault.
    static let shortestUse = Duration.seconds(2)

    let limits: [CameraAlarm: Duration]
    private var conditions: [CameraAlarm: MonotonicTime] = [:]
    private var raised: Set<CameraAlarm> = []
    private var last: (digest: UInt64, moment: MonotonicTime)?
    /// True if the last judged frame was damaged: frames that the driver takes for good are not, then.
    private(set) var isDamaged = false
    /// Time since which the camera is in use; nil if it is off, or has failed and is not retried.
    private var usedSince: MonotonicTime?

    init(_ limits: [CameraAlarm: Duration]) { self.limits = limits }

    /// Adds a judged frame exposed at `moment`, in order of time; `sample` is nil for a damaged one.
    mutating func add(_ sample: AlarmSample?, at moment: MonotonicTime) -> [Change] {
        let changes = add(isWhole: sample != nil, at: moment)
        guard let sample else { return changes }
        defer { last = (sample.digest, moment) }
        let causes: [(alarm: CameraAlarm, since: MonotonicTime?)] = [
            (.black, sample.emptiness.isBlack ? moment : nil), (.uniform, sample.emptiness.isUniform ? moment : nil),
            (.frozen, last.flatMap { $0.digest == sample.digest ? $0.moment : nil }),
        ]
        // One alarm at a time: a black picture is of one tone, too, and has nothing that could change.
        let cause = causes.first { limits[$0.alarm] != nil && $0.since != nil }?.alarm
        return changes
            + causes.flatMap { alarm, since -> [Change] in
                guard let since else { return end(alarm) }
                conditions[alarm] = conditions[alarm] ?? since
                if alarm == cause { return raise(alarm, at: moment) }
                return cause.map(raised.contains) ?? false ? lower(alarm) : []
            }
    }

    /// After a damaged frame, a whole one is a good picture.
    mutating func add(isWhole: Bool, at moment: MonotonicTime) -> [Change] {
        defer { isDamaged = !isWhole }
        return isDamaged && isWhole ? pictureCame(at: moment) : []
    }

    /// Records a frame without faults reported by the driver; `isHidden`: the privacy shutter is closed.
    mutating func frameCame(at now: MonotonicTime, isHidden: Bool = false) -> [Change] {
        // None is judged until it opens.
        if isHidden { isDamaged = false }
        return isDamaged ? [] : pictureCame(at: now)
    }

    private mutating func pictureCame(at moment: MonotonicTime) -> [Change] {
        end(.noPicture, next: usedSince == nil ? nil : moment)
    }

    mutating func enter(_ state: SessionState.Name, at now: MonotonicTime) -> [Change] {
        if state == .off { return endUse(at: now) }
        conditions[.noPicture] = conditions[.noPicture] ?? now
        usedSince = state == .failed ? nil : usedSince ?? now
        // A camera that is not in use has an alarm once another attempt has failed.
        return state == .failed ? raise(.noPicture, at: now) : []
    }

    /// A camera that is off after good frames is not expected to give any; one that gave none still has no picture.
    private mutating func endUse(at now: MonotonicTime) -> [Change] {
        guard let since = usedSince.take(), let began = conditions[.noPicture], !raised.contains(.noPicture) else {
            return []
        }
        let isFruitless = began <= since || isDamaged
        if isFruitless, now - since >= Self.shortestUse { return raise(.noPicture, at: now) }
        if !isFruitless || began == since { conditions[.noPicture] = nil }
        return []
    }

    var nextCheck: MonotonicTime? {
        guard let usedSince, let limit = limits[.noPicture], let began = conditions[.noPicture],
            !raised.contains(.noPicture)
        else { return nil }
        return usedSince > began ? max(began + limit, usedSince + Self.attempt) : began + limit
    }

    mutating func check(at now: MonotonicTime) -> [Change] {
        nextCheck.map { now >= $0 } ?? false ? raise(.noPicture, at: now) : []
    }

    mutating func end() -> [Change] {
        (last, usedSince, isDamaged) = (nil, nil, false)
        return CameraAlarm.allCases.flatMap { end($0) }
    }

    private mutating func raise(_ alarm: CameraAlarm, at now: MonotonicTime) -> [Change] {
        guard let limit = limits[alarm], let began = conditions[alarm], now - began >= limit,
            raised.insert(alarm).inserted
        else { return [] }
        return [.began(alarm, since: began)]
    }

    private mutating func end(_ alarm: CameraAlarm, next: MonotonicTime? = nil) -> [Change] {
        conditions[alarm] = next
        return lower(alarm)
    }

    private mutating func lower(_ alarm: CameraAlarm) -> [Change] { raised.remove(alarm).map { [.ended($0)] } ?? [] }
}
