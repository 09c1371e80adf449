// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// Conditions of one camera, and the alarms for those that have lasted; a value, with the time as an argument.
///
/// Black, uniform and frozen last from the first judged frame that is so until one that is not, also while the camera is
/// closed in between: only a frame begins an alarm or ends it. There is no picture from the last good frame on, while
/// the camera is in use or has failed.
struct AlarmRule {
    enum Change: Hashable {
        case began(CameraAlarm, since: MonotonicTime)
        case ended(CameraAlarm)
    }

    /// Time for the first frame of an attempt after a failure, before there is an alarm without another failure.
    static let attempt = Duration.seconds(15)

    /// Time that the condition of each configured alarm must last.
    let limits: [CameraAlarm: Duration]
    /// Begin of each present condition.
    private var conditions: [CameraAlarm: MonotonicTime] = [:]
    private var raised: Set<CameraAlarm> = []
    private var last: (digest: UInt64, moment: MonotonicTime)?
    /// True if the last judged frame was damaged: frames that the driver takes for good are not, then.
    private var isDamaged = false
    /// Time since which the camera is in use; nil if it is off, or has failed and is not retried.
    private var usedSince: MonotonicTime?

    init(_ limits: [CameraAlarm: Duration]) { self.limits = limits }

    /// Adds a judged frame exposed at `moment`, in order of time; `look` is nil for a damaged one.
    mutating func add(_ look: FrameLook?, at moment: MonotonicTime) -> [Change] {
        isDamaged = look == nil
        guard let look else { return [] }
        defer { last = (look.digest, moment) }
        let causes: [(alarm: CameraAlarm, since: MonotonicTime?)] = [
            (.black, look.emptiness.isBlack ? moment : nil), (.uniform, look.emptiness.isUniform ? moment : nil),
            (.frozen, last.flatMap { $0.digest == look.digest ? $0.moment : nil }),
        ]
        // One cause at a time: a black picture is of one tone, too, and has nothing that could change.
        let cause = causes.first { limits[$0.alarm] != nil && $0.since != nil }
        return causes.flatMap { alarm, since -> [Change] in
            guard alarm == cause?.alarm else { return end(alarm) }
            conditions[alarm] = conditions[alarm] ?? since
            return raise(alarm, at: moment)
        }
    }

    /// Records a frame without faults reported by the driver.
    mutating func frameCame(at now: MonotonicTime) -> [Change] { isDamaged ? [] : end(.noPicture, next: now) }

    /// Records the state of the camera, each time that it was entered.
    mutating func enter(_ state: SessionState.Name, at now: MonotonicTime) -> [Change] {
        guard state != .off else {
            (usedSince, isDamaged) = (nil, false)
            return end(.noPicture)
        }
        conditions[.noPicture] = conditions[.noPicture] ?? now
        usedSince = state == .failed ? nil : usedSince ?? now
        // A camera that is not in use has an alarm once another attempt has failed.
        return state == .failed ? raise(.noPicture, at: now) : []
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
        return raised.remove(alarm) == nil ? [] : [.ended(alarm)]
    }
}
