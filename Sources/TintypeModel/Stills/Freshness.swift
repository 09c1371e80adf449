// SPDX-License-Identifier: Apache-2.0

/// How fresh a still has to be.
package enum Freshness: Hashable, Sendable {
    /// Exposed after the request arrived, from its first row to its last.
    case request
    /// The next frame to arrive, possibly begun before the request.
    case next
    /// The newest frame there is; like ``request`` when it is older than the camera's stall limit.
    case latest
    /// A frame whose exposure began at most this long before the request arrived; waits for one where none is held.
    case maxAge(Duration)
    /// The frame of the ring whose exposure began last before a moment, given as a time from the request: never
    /// positive.
    case at(Duration)

    /// The ages that can be asked for with ``maxAge(_:)``, in milliseconds.
    package static let maxAgeMsRange: ClosedRange<Double> = 0...3_600_000
    /// The moments that can be asked for with ``at(_:)``, in milliseconds from the request.
    package static let atMsRange: ClosedRange<Double> = -3_600_000...0
}

extension Freshness: FieldReadable, Encodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case maxAgeMs, atMs
    }

    /// Reads `"request"`, `"next"`, `"latest"`, `{"maxAgeMs": n}` or `{"atMs": -n}`.
    package init?(field value: FieldValue, at path: String) throws(Problem) {
        if let fields = try FieldReader<CodingKeys>(value, at: path) {
            try fields.refuse(.maxAgeMs, with: .atMs)
            if let moment = try fields.optionalMilliseconds(.atMs, in: Self.atMsRange) {
                self = .at(moment)
            } else {
                self = .maxAge(try fields.milliseconds(.maxAgeMs, in: Self.maxAgeMsRange))
            }
            return
        }
        guard case .text(let word) = value, let freshness = Freshness(word: word) else {
            throw .invalid(
                field: path,
                "is none of request, next and latest.",
                remedy: "Use one of these, or give an age (maxAgeMs) or a moment (atMs) in its place."
            )
        }
        self = freshness
    }

    /// The schema of the forms that are a word.
    static let wordSchema: OrderedJSON = ["type": "string", "enum": ["request", "next", "latest"]]

    /// Reads `request`, `next` or `latest`; nil for any other word.
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
