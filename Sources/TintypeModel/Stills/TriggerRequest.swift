// SPDX-License-Identifier: Apache-2.0

/// Body of `POST /v1/cameras/{camera}/trigger`: the pictures to store before and after an event outside of the picture.
package struct TriggerRequest: Hashable, WireObject, WireRequest {
    /// Nil for the whole ring of the camera, if it has one.
    package var beforeMs: Milliseconds?
    package var afterMs = Milliseconds(Self.standardAfter)
    package var nth = 1
    package var tags = ["trigger"]
    package var clip = false
    package init() {}
    package static let beforeMsRange: ClosedRange<Double> = 0...3_600_000
    package static let afterMsRange: ClosedRange<Double> = 1...3_600_000
    package static let standardAfter = Duration.seconds(10)
    package static let summary = "The pictures that a trigger stores; every field may be left out."
    package static let fields: [Field] = [
        Field("beforeMs", \.beforeMs, "The time before, at most the ring's, or all of it.", .range(beforeMsRange)),
        Field("afterMs", \.afterMs, "The time after it.", .range(afterMsRange).defaulting(to: 10_000)),
        Field("nth", \.nth, "Stores every nth frame.", .range(Burst.nthRange).defaulting(to: 1)),
        Field("tags", \.tags, "The tags of the stored pictures.", .tags.defaulting(to: ["trigger"])),
        Field("clip", \.clip, "Whether a clip of the same time is recorded as well.", ["default": false]),
    ]
}

package struct TriggerReport: Equatable, Codable, WireObject {
    package var from: Timestamp
    package var until: Timestamp
    package var nth: Int
    package var tags: [String]
    package var clip: String?
    package var clipError: String?

    package init(from: Timestamp, until: Timestamp, nth: Int, tags: [String]) {
        (self.from, self.until, self.nth, self.tags) = (from, until, nth, tags)
    }

    package static let summary = "The pictures that are stored now, with those of the trigger that this one extends."
    package static let fields: [Field] = [
        Field("from", \.from, "The capture time of the first of them; before the request, they come from the ring."),
        Field("until", \.until, "The time until which they are stored."),
        Field("nth", \.nth, "Every nth frame is stored, as the first trigger said.", ["minimum": 1]),
        Field("tags", \.tags, "The tags of the next ones."),
        Field("clip", \.clip, "The id of the job of the clip; missing without one."),
        Field("clipError", \.clipError, "The reason why no clip that was asked for is recorded."),
    ]
}
