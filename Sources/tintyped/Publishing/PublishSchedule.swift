// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeImaging
internal import TintypeModel

/// Frames stored or clips recorded without a request: keys `publish` and `record` of tintyped.yaml(5).
struct PublishSchedule: Hashable, Sendable, CustomStringConvertible {
    enum Rate: Hashable, Sendable {
        case every(Duration, SlotTimes.Alignment)
        /// Each n-th frame of the camera; 1 for all.
        case nth(Int)

        var text: String {
            switch self {
            case .every(let every, .start): "every \(HumanDuration.text(every))"
            case .every(let every, .clock(0)): "every \(HumanDuration.text(every)), align clock"
            case .every(let every, .clock(let minutes)):
                "every \(HumanDuration.text(every)), align \(DayHours.text(minutes))"
            case .nth(1): "all"
            case .nth(let nth): "nth \(nth)"
            }
        }
    }

    enum Occasion: String, Hashable, Sendable, CaseIterable {
        case always
        case motion
    }

    var rate: Rate
    /// Part of the day; nil for all of it.
    var hours: DayHours?
    /// Days of the week; the part after midnight belongs to the day before.
    var days = Set(Weekday.allCases)
    var when = Occasion.always
    /// Time before the motion from which frames of the ring are stored too; nil for the whole ring, for clips for none.
    var before: Duration?
    var settle = SettlePolicy.auto
    var integrity = Integrity.strict
    var reject: Set<ImageDefect> = []
    /// Maximum width in pixels; nil for no limit.
    var width: Int?
    var durability = Durability.full
    var tags: [String] = []
    /// Time of a clip, of each motion its upper limit; nil for frames.
    var length: Duration?
    /// Clips stay as they were recorded.
    var isOriginal = false

    /// Limits of the slot interval.
    static let shortest = Duration.milliseconds(100)
    static let longest = Duration.seconds(366 * 86_400)

    /// Time to take and store a frame of a usual camera; longer if it always waits until the picture has settled.
    var longestDeadline: Duration { settle == .always ? .seconds(15) : .seconds(5) }
    var isAlways: Bool { hours == nil && days.count == Weekday.allCases.count }

    /// The slots, or for frames not published by time, the allowed parts of the days.
    var times: SlotTimes {
        switch rate {
        case .every(let every, let alignment):
            SlotTimes(every: every, alignment: alignment, hours: hours, days: days)
        case .nth: SlotTimes(every: .seconds(1), hours: hours, days: days)
        }
    }

    func request(within deadline: Duration) -> StillRequest {
        StillRequest(
            fresh: .request,
            deadline: deadline,
            settle: settle,
            integrity: integrity,
            reject: reject,
            rendering: ImageOptions(width: width),
            durability: durability,
            tags: allTags
        )
    }

    private var allTags: [String] {
        when == .motion && !tags.contains(MotionSettings.tag) ? tags + [MotionSettings.tag] : tags
    }

    var clip: ClipRequest? {
        guard let length else { return nil }
        var clip = ClipRequest()
        (clip.forMs, clip.beforeMs) = (Milliseconds(length), Milliseconds(before ?? .zero))
        (clip.original, clip.tags) = (isOriginal, allTags)
        return clip
    }

    /// `every 1m, align clock, between 06:00-20:00, days mon tue`; identifies a schedule of a camera.
    var description: String {
        let everyDay = days.count == Weekday.allCases.count
        let parts: [String?] = [
            rate.text,
            hours.map { "between \($0)" },
            everyDay ? nil : "days " + Weekday.allCases.filter(days.contains).map(\.word).joined(separator: " "),
            when == .motion ? "when motion" : nil,
            before.map { "before \(HumanDuration.text($0))" },
            length.map { "for \(HumanDuration.text($0))" },
            width.map { "width \($0)" },
            tags.isEmpty ? nil : "tags " + tags.joined(separator: " "),
        ]
        return (length == nil ? "" : "record ") + parts.compactMap(\.self).joined(separator: ", ")
    }
}

/// Replacement of a camera's `latest.jpg` independently of stored frames; tintyped.yaml(5).
struct LatestSettings: Hashable, Sendable, CustomStringConvertible {
    /// ``PublishSchedule/shortest`` to ``PublishSchedule/longest``.
    var every = Duration.seconds(1)
    /// Maximum width in pixels; nil for no limit.
    var width: Int?
    /// Nil for that of the camera.
    var quality: Int?

    static let longestDeadline = Duration.seconds(5)

    func request(within deadline: Duration) -> StillRequest {
        let rendering = ImageOptions(quality: quality, width: width)
        return StillRequest(fresh: .request, deadline: deadline, rendering: rendering, keep: false)
    }

    var description: String {
        "latest every \(HumanDuration.text(every))" + (width.map { ", width \($0)" } ?? "")
            + (quality.map { ", quality \($0)" } ?? "")
    }
}
