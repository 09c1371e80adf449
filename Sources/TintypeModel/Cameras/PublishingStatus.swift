// SPDX-License-Identifier: Apache-2.0

package struct PublishingStatus: Equatable, Codable, WireObject {
    package var schedule: String
    package var published: UInt64 = 0
    package var lastPublishedAt: Timestamp?
    package var missed: [String: UInt64]?
    package var lastMissed: [MissedSlots]?
    package var problem: Problem?
    package var next: Timestamp?

    /// Maximum number of elements in ``lastMissed``.
    package static let mostRuns = 16
    /// Reason of slots that passed while an earlier frame was still being taken or stored.
    package static let busy = "busy"
    /// Reason of slots during a system suspend.
    package static let asleep = "asleep"

    package init(schedule: String) { self.schedule = schedule }

    /// Extends the last run if the reason is the same and `isNewRun` is false.
    package mutating func addMissed(_ slots: MissedSlots, asNewRun isNewRun: Bool) {
        missed = (missed ?? [:]).merging([slots.reason: slots.count], uniquingKeysWith: +)
        var (runs, run) = (lastMissed ?? [], slots)
        if !isNewRun, let last = runs.last, last.reason == slots.reason {
            runs.removeLast()
            (run.first, run.count) = (last.first, last.count + slots.count)
        }
        lastMissed = (runs + [run]).suffix(Self.mostRuns)
    }

    package static let summary = "The results of one schedule by which a camera's frames are published."
    package static let fields: [Field] = [
        Field("schedule", \.schedule, "The configured schedule, as in “every 1m, align clock”, or trigger."),
        Field("published", \.published, "Frames published since the daemon started."),
        Field("lastPublishedAt", \.lastPublishedAt, "Capture time of the last published frame; missing before."),
        Field("missed", \.missed, "Missed slots by reason: a problem's code, busy, asleep, or as in skipped.", .counts),
        Field("lastMissed", \.lastMissed, "The last series of missed slots, newest last, at most 16; missing if none."),
        Field("problem", \.problem, "The problem that kept the last frame from being published; missing for none."),
        Field("next", \.next, "The next slot; for nth and all, the next part of the day, and missing during one."),
    ]
}

package struct MissedSlots: Equatable, Codable, WireObject {
    package var first: Timestamp
    package var last: Timestamp
    package var count: UInt64
    package var reason: String
    package var detail: String

    package init(first: Timestamp, last: Timestamp, count: UInt64, reason: String, detail: String) {
        (self.first, self.last, self.count, self.reason, self.detail) = (first, last, count, reason, detail)
    }

    package static let summary = "Consecutive slots of a schedule in which no frame was published."
    package static let fields: [Field] = [
        Field("first", \.first, "The time at which the first of them was due."),
        Field("last", \.last, "The time at which the last of them was due."),
        Field("count", \.count, "The number of slots.", .positive),
        Field("reason", \.reason, "The reason, in a word: a key of missed."),
        Field("detail", \.detail, "The reason, in a sentence."),
    ]
}
