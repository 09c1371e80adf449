// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Passes on the start of a condition once it has lasted for ``limit``, and its end only if the start was passed on; a
/// value, with the time as an argument.
///
/// Other events pass at once. Of several starts, as of a daemon that is degraded for other reasons, the newest is passed
/// on; a degraded health that returns to what was passed on is not. A camera that is off is not lost: its loss waits
/// anew once it fails again (`camera-state`), since it is not reported a second time.
struct LastingEvents {
    typealias Entry = EventJournal.Entry

    private struct Key: Hashable {
        let start: Event.Kind
        let camera: String?
        let alarm: CameraAlarm?
    }

    private struct Condition {
        var event: Event
        /// Time from which ``event`` waits; nil once it is passed on, and while its camera is off.
        var since: MonotonicTime?
        var passed: Event?
    }

    let limit: Duration
    private var conditions: [Key: Condition] = [:]

    init(_ limit: Duration) { self.limit = limit }

    /// Adds an event, in order; returns those to pass on now, with the times from which they waited.
    mutating func add(_ entry: Entry) -> [Entry] {
        // It may be read late, after a command that took long: what had lasted by then comes before it.
        entry.event.kind == .gap ? forgetWaits(at: entry) : due(by: entry.moment) + take(entry)
    }

    private mutating func take(_ entry: Entry) -> [Entry] {
        let (event, moment) = (entry.event, entry.moment)
        if event.kind == .cameraState { follow(event, at: moment) }
        if event.kind.end != nil {
            let key = Key(start: event.kind, camera: event.camera, alarm: event.alarm)
            var condition = conditions[key] ?? Condition(event: event)
            condition.event = event
            // Others start again only if their end is not known, as that of a camera that was configured anew.
            if event.kind != .degraded { condition.passed = nil }
            let isKnown = condition.passed.map { $0.causes == event.causes } ?? false
            condition.since = isKnown ? nil : condition.since ?? moment
            conditions[key] = condition
            return []
        }
        guard let start = event.kind.start else { return [entry] }
        let key = Key(start: start, camera: event.camera, alarm: event.alarm)
        return conditions.removeValue(forKey: key)?.passed == nil ? [] : [entry]
    }

    /// Forgets what has only started, since the missing events may have been ends, but not what was passed on.
    private mutating func forgetWaits(at gap: Entry) -> [Entry] {
        conditions = conditions.compactMapValues { condition in
            condition.passed.map { Condition(event: $0, since: nil, passed: $0) }
        }
        return [gap]
    }

    private mutating func follow(_ event: Event, at moment: MonotonicTime) {
        let key = Key(start: .cameraLost, camera: event.camera, alarm: nil)
        guard let name = event.state?.name, let condition = conditions[key] else { return }
        if name == .off { conditions[key]?.since = nil }
        if [.interrupted, .failed].contains(name), condition.passed == nil {
            conditions[key]?.since = condition.since ?? moment
        }
    }

    /// Returns the events whose conditions have lasted by `now`, in order.
    mutating func due(by now: MonotonicTime) -> [Entry] {
        let due = conditions.compactMap { key, condition in condition.since.map { (key, since: $0) } }
            .filter { now - $0.since >= limit }.sorted { $0.since < $1.since }
        for (key, _) in due {
            let event = conditions[key]?.event
            conditions[key]?.since = nil
            conditions[key]?.passed = event
        }
        return due.compactMap { key, since in conditions[key]?.passed.map { Entry(event: $0, moment: since) } }
    }

    /// Times from which events of these kinds wait, in no order.
    func waits(of kinds: [Event.Kind]) -> [MonotonicTime] {
        conditions.values.filter { kinds.contains($0.event.kind) }.compactMap(\.since)
    }

    /// Time at which an event is due; nil for never.
    var next: MonotonicTime? { conditions.values.compactMap(\.since).min().map { $0 + limit } }
}

extension Event {
    fileprivate var causes: Set<[String?]> { Set((reasons ?? []).map(\.cause)) }
}
