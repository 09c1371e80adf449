// SPDX-License-Identifier: Apache-2.0

package struct FilmRequest: Hashable, WireObject, WireRequest {
    /// Has a ``FrameFilter/camera``.
    package var filter = FrameFilter.everything
    package var style = FilmStyle()
    package var tags: [String] = []
    package var spool: String?
    package var priority = 0
    package init() {}
    package init(_ filter: FrameFilter) { self.filter = filter }
    package static let summary = "Stored pictures of one camera to make a film of."
    package static let fields: [Field] =
        [Field("where", \.filter, "The pictures, with one camera: as in camera:yard, since:1d.")]
        + FilmStyle.fields.map { $0.within(\.style).unread() } + [
            Field("tags", \.tags, "The tags of the film.", .tags.defaulting(to: [])),
            Field("spool", \.spool, "The spool of the pictures; missing for that of the camera."),
            Field("priority", \.priority, "Higher priorities go first.", .range(Job.priorityRange).defaulting(to: 0)),
        ]

    private enum StyleKey: String, CodingKey, CaseIterable { case fps, speed, cutMs, deflicker }

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        try given.refuseEmptyFilter()
        guard filter.camera != nil else {
            let remedy = #"Give a filter with one camera, such as "camera:yard, since:1d"."#
            throw .invalid(field: "where", "does not name one camera: a film is of one.", remedy: remedy)
        }
        let fields = FieldReader<StyleKey>(checked: given)
        let cut = try fields.milliseconds(.cutMs, in: FilmStyle.cutMsRange)
        style = try FilmStyle(fields, .fps, .speed, .cutMs, cut, .deflicker)
    }
}

package struct FilmStyle: Hashable, Sendable, Codable, WireObject {
    package var fps: Double?
    package var speed: Double?
    package var cutMs: Milliseconds?
    package var deflicker: Bool?
    package init() {}
    package static let standardRate = 25.0
    package static let rateRange = 0.1...60
    package static let speedRange = 1.0...1_000_000
    package static let cutMsRange = 1.0...3_600_000
    package static let schemaName: String? = nil
    package static let summary = "The times of the pictures of a film, and their looks."
    package static let fields: [Field] = [
        Field("fps", \.fps, "Pictures a second; 25 without speed.", .range(rateRange)),
        Field("speed", \.speed, "By how much the film is faster than the scene, in place of fps.", .range(speedRange)),
        Field("cutMs", \.cutMs, "The longest gap in the film, with speed; missing to keep all.", .range(cutMsRange)),
        Field("deflicker", \.deflicker, "Whether the brightness of neighbouring pictures is evened out."),
    ]

    package static func notNumber(in range: ClosedRange<Double>) -> String {
        "is not a number from \(range.lowerBound) to \(Int(range.upperBound)).".replacing(".0 to", with: " to")
    }

    /// Reads the fields of a request or of the configuration, and refuses those that exclude each other.
    package init<Key>(
        _ fields: FieldReader<Key>,
        _ rate: Key,
        _ factor: Key,
        _ gap: Key,
        _ cut: Duration?,
        _ evens: Key
    ) throws(Problem) {
        func number(_ key: Key, _ range: ClosedRange<Double>) throws(Problem) -> Double? {
            try fields.read(key, Self.notNumber(in: range), remedy: "Give such a number.") { (number: Double) in
                range.contains(number) ? number : nil
            }
        }
        fps = try number(rate, Self.rateRange)
        speed = try number(factor, Self.speedRange)
        let remedy = "Give true or false."
        let isEven = try fields.read(evens, "has the wrong type.", remedy: remedy) { (flag: Bool) in flag }
        deflicker = isEven == true ? true : nil
        if speed != nil { try fields.refuse(factor, with: rate) }
        cutMs = cut.map(Milliseconds.init)
        guard fields[gap] != nil, fields[factor] == nil else { return }
        try fields.refuse(gap, "is for films with speed only.", remedy: "Give speed, or leave it out.")
    }
}

/// Body of `POST /v1/cameras/{camera}/clips`.
package struct ClipRequest: Hashable, WireObject, WireRequest {
    package var forMs = Milliseconds(.seconds(10))
    package var beforeMs = Milliseconds(.zero)
    package var original = false
    package var tags: [String] = []
    package init() {}
    package static let forMsRange = 100.0...3_600_000
    package static let beforeMsRange = 0.0...3_600_000
    package static let summary = "A clip to record; every field may be left out."
    package static let fields: [Field] = [
        Field("forMs", \.forMs, "The time after the request.", .range(forMsRange).defaulting(to: 10_000)),
        Field("beforeMs", \.beforeMs, "The time before, at most the ring's.", .range(beforeMsRange).defaulting(to: 0)),
        Field("original", \.original, "Keeps the camera's JPEG pictures, in Matroska, not MP4.", ["default": false]),
        Field("tags", \.tags, "The tags of the clip.", .tags.defaulting(to: [])),
    ]
}
