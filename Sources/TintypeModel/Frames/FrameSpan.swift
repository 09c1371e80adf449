// SPDX-License-Identifier: Apache-2.0

/// Times between which frames are counted, and the filter of these frames.
package struct FrameSpanQuery: Hashable, WireRequest {
    package var filter = FrameFilter.everything
    /// Ascending, in whole milliseconds like frame IDs; ``countRange`` of them.
    package var times: [Timestamp] = []

    package static let countRange = 2...400

    package init() {}
    package init(filter: FrameFilter = .everything, times: [Timestamp]) { (self.filter, self.times) = (filter, times) }

    /// Spans between two consecutive times.
    package var spans: [Range<Timestamp>] { zip(times, times.dropFirst()).map { $0..<$1 } }

    package static let fields: [WireField<Self>] = [
        WireField("where", \.filter, "The frames; missing for all.", isRequired: false),
        WireField(
            "times",
            of: [String].schema,
            """
            The ascending times between which frames are counted, with a comma between two: as in RFC 3339, or in \
            milliseconds since 1970. Parts of a millisecond are ignored.
            """,
            ["minItems": .integer(countRange.lowerBound), "maxItems": .integer(countRange.upperBound)],
            isRequired: true
        ),
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        let range = "\(Self.countRange.lowerBound) to \(Self.countRange.upperBound)"
        guard let times = Self.times(given["times"]?.words ?? []) else {
            let remedy = "Give times such as 2026-11-30T00:00:00Z,2026-12-01T00:00:00Z, or milliseconds since 1970."
            throw .invalid(field: "times", "is no ascending list of \(range) times.", remedy: remedy)
        }
        self.times = times
    }

    private static func times(_ texts: [String]) -> [Timestamp]? {
        let times = texts.compactMap { text -> Timestamp? in
            let milliseconds = Int64(text) ?? HumanTime.parse(text).map { $0.microseconds / 1000 }
            return milliseconds.flatMap { range.contains($0) ? Timestamp(microseconds: $0 * 1000) : nil }
        }
        let isAscending = zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
        return times.count == texts.count && countRange.contains(times.count) && isAscending ? times : nil
    }

    /// Milliseconds of frame IDs.
    private static let range: ClosedRange<Int64> = 0...(1 << 48 - 1)
}

package struct FrameSpan: Equatable, Codable, WireObject {
    package var from: Timestamp
    package var to: Timestamp
    package var frames: Int
    package var newest: FrameID

    package init(from: Timestamp, to: Timestamp, frames: Int, newest: FrameID) {
        (self.from, self.to, self.frames, self.newest) = (from, to, frames, newest)
    }

    package static let summary = "The frames between two times."
    package static let fields: [Field] = [
        Field("from", \.from, "The first time; a frame of this time counts."),
        Field("to", \.to, "The second time; a frame of this time counts in the next span."),
        Field("frames", \.frames, "The number of frames.", .positive),
        Field("newest", \.newest, "The id of the newest frame."),
    ]
}

package struct FrameSpanList: Equatable, Codable, WireObject {
    package var spans: [FrameSpan]
    package var unavailable: [String]?

    package init(spans: [FrameSpan], unavailable: [String]? = nil) {
        (self.spans, self.unavailable) = (spans, unavailable)
    }

    package static let summary = "The numbers of frames between times."
    package static let fields: [Field] = [
        Field("spans", \.spans, "In the order of the times, without those that have no frame."),
        Field("unavailable", \.unavailable, "Spools that did not answer, whose frames are left out; missing for none."),
    ]
}
