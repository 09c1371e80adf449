// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Passes on the begin of a condition once it has lasted for ``limit``, and its end only if the begin was passed on; a
/// value, with the time as an argument.
///
/// Other events pass at once. Of several begins, as of a daemon that is degraded for other reasons, the newest is passed
/// on; one that returns to what was passed on is not.
struct LastingEvents {
    private struct Key: Hashable {
        let begin: Event.Kind
        let camera: String?
        let alarm: CameraAlarm?
    }

    private struct Condition {
        var event: Event
        /// Begin of the wait of ``event``; nil once it is passed on.
        var since: MonotonicTime?
        var passed: Event?
    }

    let limit: Duration
    private var conditions: [Key: Condition] = [:]

    init(_ limit: Duration) { self.limit = limit }

    /// Adds an event of `moment`, in order; returns those to pass on now.
    mutating func add(_ event: Event, at moment: MonotonicTime) -> [Event] {
        // The missing events may have been ends.
        if event.kind == .gap { conditions = [:] }
        if event.kind.end != nil {
            let key = Key(begin: event.kind, camera: event.camera, alarm: event.alarm)
            var condition = conditions[key] ?? Condition(event: event)
            condition.event = event
            let isKnown = condition.passed.map { $0.causes == event.causes } ?? false
            condition.since = isKnown ? nil : condition.since ?? moment
            conditions[key] = condition
            return []
        }
        guard let begin = event.kind.begin else { return [event] }
        let key = Key(begin: begin, camera: event.camera, alarm: event.alarm)
        guard let condition = conditions.removeValue(forKey: key) else { return [] }
        // The end may be read late, after a command that took long.
        let isDue = condition.since.map { moment - $0 >= limit } ?? false
        return (isDue ? [condition.event] : []) + (isDue || condition.passed != nil ? [event] : [])
    }

    /// Returns the events whose conditions have lasted by `now`, in order.
    mutating func due(by now: MonotonicTime) -> [Event] {
        let due = conditions.compactMap { key, condition in condition.since.map { (key, since: $0) } }
            .filter { now - $0.since >= limit }.sorted { $0.since < $1.since }
        for (key, _) in due {
            let event = conditions[key]?.event
            conditions[key]?.since = nil
            conditions[key]?.passed = event
        }
        return due.compactMap { conditions[$0.0]?.passed }
    }

    /// Begins of the waits of events, in no order.
    var waits: [MonotonicTime] { conditions.values.compactMap(\.since) }
    /// Time at which an event is due; nil for never.
    var next: MonotonicTime? { waits.min().map { $0 + limit } }
}

extension Event {
    fileprivate var causes: Set<[String?]> { Set((reasons ?? []).map(\.cause)) }
}
