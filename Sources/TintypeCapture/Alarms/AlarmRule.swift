// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

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

    /// Time that the condition of each configured alarm must last.
    let limits: [CameraAlarm: Duration]
    /// Begin of each present condition.
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

    /// Time of the next ``check(at:)``; nil for never.
    var nextCheck: MonotonicTime? {
        guard let usedSince, let limit = limits[.noPicture], let began = conditions[.noPicture],
            !raised.contains(.noPicture)
        else { return nil }
        return usedSince > began ? max(began + limit, usedSince + Self.attempt) : began + limit
    }

    mutating func check(at now: MonotonicTime) -> [Change] {
        nextCheck.map { now >= $0 } ?? false ? raise(.noPicture, at: now) : []
    }

    /// Ends all alarms, because the camera was stopped or removed.
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
