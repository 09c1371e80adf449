// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel

/// When a camera's frames are stored without a request, and in which form.
///
/// tintyped.yaml(5) says more of each key of `publish`.
struct PublishSchedule: Hashable, Sendable {
    enum Rate: Hashable, Sendable {
        /// One at each slot.
        case every(Duration, SlotTimes.Alignment)
        /// Each n-th of those that the camera gives; 1 for all.
        case nth(Int)
    }

    enum Occasion: String, Hashable, Sendable, CaseIterable {
        case always
        /// While there is motion.
        case motion
    }

    var rate: Rate
    /// Only in this part of the day; nil for all of it.
    var hours: DayHours?
    /// Only on these days; what goes on after midnight belongs to the day before.
    var days = Set(Weekday.allCases)
    var when = Occasion.always
    /// How long before the motion the frames of the ring begin that are stored too; nil for all that it holds.
    var before: Duration?
    var settle = SettlePolicy.auto
    var integrity = Integrity.strict
    var reject: Set<Appearance> = []
    /// The width that a picture must not exceed, in pixels; nil for any.
    var width: Int?
    var durability = Durability.full
    var tags: [String] = []

    /// The shortest time between two slots: 100 ms.
    static let shortest = Duration.milliseconds(100)
    /// The longest time between two slots: 366 days.
    static let longest = Duration.seconds(366 * 86_400)
    /// The numbers of which each frame can be the last that is stored.
    static let nthRange = 1...1_000_000

    /// The longest time that taking and storing one frame may take: longer where it waits for exposure and white balance
    /// as long as that takes.
    var longestDeadline: Duration { settle == .always ? .seconds(15) : .seconds(5) }

    var isAlways: Bool { hours == nil && days.count == Weekday.allCases.count }

    /// The slots; where frames are not published by time, the parts of the days in which they are.
    var times: SlotTimes {
        switch rate {
        case .every(let every, let alignment):
            SlotTimes(every: every, alignment: alignment, hours: hours, days: days)
        case .nth: SlotTimes(every: .seconds(1), hours: hours, days: days)
        }
    }

    /// The request of one frame, to be taken and stored within `deadline`.
    func request(within deadline: Duration) -> StillRequest {
        StillRequest(
            fresh: .request,
            deadline: deadline,
            settle: settle,
            integrity: integrity,
            reject: reject,
            rendering: StillRendering(width: width),
            durability: durability,
            tags: when == .motion && !tags.contains(MotionSettings.tag) ? tags + [MotionSettings.tag] : tags
        )
    }
}

extension PublishSchedule: CustomStringConvertible {
    /// As in `every 1m, align clock, between 06:00-20:00, days mon tue`: what tells schedules of a camera apart.
    var description: String {
        var parts: [String] = []
        switch rate {
        case .every(let every, let alignment):
            parts.append("every \(HumanDuration.text(every))")
            switch alignment {
            case .start: break
            case .clock(0): parts.append("align clock")
            case .clock(let minutes): parts.append("align \(DayHours.text(minutes))")
            }
        case .nth(1): parts.append("all")
        case .nth(let nth): parts.append("nth \(nth)")
        }
        if let hours { parts.append("between \(hours)") }
        if days.count < Weekday.allCases.count {
            parts.append("days " + Weekday.allCases.filter(days.contains).map(\.word).joined(separator: " "))
        }
        if when == .motion {
            parts.append("when motion")
            if let before { parts.append("before \(HumanDuration.text(before))") }
        }
        if let width { parts.append("width \(width)") }
        if !tags.isEmpty { parts.append("tags " + tags.joined(separator: " ")) }
        return parts.joined(separator: ", ")
    }
}

/// How often a camera's `latest.jpg` is replaced, also where nothing is stored meanwhile; tintyped.yaml(5).
struct LatestSettings: Hashable, Sendable {
    /// The time from one picture to the next, from ``PublishSchedule/shortest`` to ``PublishSchedule/longest``.
    var every = Duration.seconds(1)
    /// The width that the picture must not exceed, in pixels; nil for any.
    var width: Int?
    /// Its JPEG quality; nil for the camera's.
    var quality: Int?

    static let longestDeadline = Duration.seconds(5)

    func request(within deadline: Duration) -> StillRequest {
        StillRequest(
            fresh: .request,
            deadline: deadline,
            rendering: StillRendering(quality: quality, width: width),
            keep: false
        )
    }
}

extension LatestSettings: CustomStringConvertible {
    var description: String {
        "latest every \(HumanDuration.text(every))" + (width.map { ", width \($0)" } ?? "")
            + (quality.map { ", quality \($0)" } ?? "")
    }
}
