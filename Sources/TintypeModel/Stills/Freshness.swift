// SPDX-License-Identifier: Apache-2.0

package enum Freshness: Hashable, FieldReadable, WireType {
    /// Exposed entirely after the arrival of the request.
    case request
    /// Next frame to arrive; its exposure may have begun before the request.
    case next
    /// Newest frame held; like ``request`` if that is older than the camera's stall limit.
    case latest
    /// Exposure began at most this long before the request arrived; waits for a frame if none is held.
    case maxAge(Duration)
    /// Last frame of the ring whose exposure began before a time, relative to the request and never positive.
    case at(Duration)
    package static let maxAgeMsRange: ClosedRange<Double> = 0...3_600_000
    package static let atMsRange: ClosedRange<Double> = -3_600_000...0
    private enum CodingKeys: String, CodingKey, CaseIterable { case maxAgeMs, atMs }

    /// Reads `"request"`, `"next"`, `"latest"`, `{"maxAgeMs": n}` or `{"atMs": -n}`.
    package init?(field value: FieldValue, at path: String) throws(Problem) {
        if let fields = try FieldReader<CodingKeys>(value, at: path) {
            try fields.refuse(.maxAgeMs, with: .atMs)
            if let moment = try fields.milliseconds(.atMs, in: Self.atMsRange) {
                self = .at(moment)
            } else if let age = try fields.milliseconds(.maxAgeMs, in: Self.maxAgeMsRange) {
                self = .maxAge(age)
            } else {
                throw .invalid(field: "\(path).maxAgeMs", "is missing.", remedy: "Give a number of milliseconds.")
            }
            return
        }
        guard case .text(let word) = value, let freshness = Freshness(word: word) else {
            let remedy = """
                Use one of these, or an age or a moment: {"maxAgeMs": n} or {"atMs": -n} in JSON, maxAgeMs=n or atMs=-n in \
                place of fresh in a query.
                """
            throw .invalid(field: path, "is none of request, next and latest.", remedy: remedy)
        }
        self = freshness
    }

    static let wordSchema: OrderedJSON = ["type": "string", "enum": ["request", "next", "latest"]]
    // Generators of clients name a type by its title.
    package static let schema: OrderedJSON = [
        "oneOf": [
            wordSchema.adding(["title": "Freshness"]),
            object("MaxAge", "At most this old when the request arrives.", "maxAgeMs", "Milliseconds.", maxAgeMsRange),
            object(
                "Moment",
                "The frame of the ring whose exposure began last before this moment.",
                "atMs",
                "Milliseconds from the request, never positive.",
                atMsRange
            ),
        ]
    ]

    private static func object(
        _ title: String,
        _ description: String,
        _ name: String,
        _ unit: String,
        _ range: ClosedRange<Double>
    ) -> OrderedJSON {
        let member = Double.schema.adding(["description": .text(unit)]).adding(.range(range))
        return [
            "type": "object", "title": .text(title), "description": .text(description), "required": [.text(name)],
            "properties": .object([(name, member)]), "additionalProperties": false,
        ]
    }

    package init?(word: String) {
        switch word {
        case "request": self = .request
        case "next": self = .next
        case "latest": self = .latest
        default: return nil
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .request: try "request".encode(to: encoder)
        case .next: try "next".encode(to: encoder)
        case .latest: try "latest".encode(to: encoder)
        case .maxAge(let age): try [CodingKeys.maxAgeMs.rawValue: Milliseconds(age)].encode(to: encoder)
        case .at(let moment): try [CodingKeys.atMs.rawValue: Milliseconds(moment)].encode(to: encoder)
        }
    }
}

/// Guarantee for a stored still when the reply is sent.
package enum Durability: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Written under its final name, not flushed: survives the end of the daemon, not a power failure.
    case none
    /// Data is flushed (fdatasync(2)), the name may not be: after a power failure the file may be missing, but never
    /// torn.
    case data
    /// Data, name and catalog row are flushed: survives a power failure.
    case full
}

package enum Integrity: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// No detectable fault but one that is repaired and normal for this camera: JPEG data is decoded, and any warning
    /// counts as damage.
    case strict
    /// Valid segments and an end; faults that are normal for this camera are accepted.
    case tolerant
    /// As delivered by the driver; faults are only reported.
    case raw
}

/// Policy for waiting until exposure and white balance have settled after a stream start.
package enum SettlePolicy: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Waits up to the camera's settling limit, or until the deadline leaves just time for a frame; then takes the
    /// still anyway and marks it as unsettled.
    case auto
    /// Waits until the deadline and then fails.
    case always
    case never
}

package enum Burst: Hashable, Sendable {
    /// A number of stills at intervals of `every`; 0 takes consecutive frames.
    case count(Int, every: Duration)
    /// Every `nth` frame of a time span relative to the request; negative times are taken from the ring.
    case span(from: Duration, to: Duration, nth: Int)
    package static let countRange = 1...1000
    package static let everyMsRange: ClosedRange<Double> = 0...3_600_000
    package static let spanMsRange: ClosedRange<Double> = -3_600_000...3_600_000
    package static let nthRange = 1...1000
}

extension StillRequest {
    /// The ``deadline``, for a burst added to the time until its last still is due: for consecutive frames, when the
    /// previous one has been taken.
    package var longestDuration: Duration {
        switch burst {
        case nil: deadline
        case .count(let count, .zero): deadline * count
        case .count(let count, let every): every * (count - 1) + deadline
        case .span(_, let end, _): max(.zero, end) + deadline
        }
    }
}
