// SPDX-License-Identifier: Apache-2.0

/// Body of `POST /v1/cameras/{camera}/hold`: a lease that keeps the camera streaming.
package struct HoldRequest: Hashable, WireObject, WireRequest {
    package var owner = ""
    /// From the arrival of the request; in ``durationMsRange``.
    package var forMs = Milliseconds(.zero)
    package var duration: Duration { forMs.duration }
    package init() {}

    package init(owner: String, duration: Duration) {
        self.owner = owner
        forMs = Milliseconds(duration)
    }

    /// Accepted durations: 1 ms to 24 h, because an unlimited lease would equal a hot camera.
    package static let durationMsRange: ClosedRange<Double> = 1...86_400_000
    package static let mostOwners = 32
    /// Accepted lengths of an owner's name, in characters.
    static let ownerRange = 1...64

    /// Owners of the daemon's own leases, for motion detection, codes, triggers and publishing; the second schedule's is
    /// `publish-2`.
    package static let (motion, codes, publish, trigger) = ("motion", "codes", "publish", "trigger")

    package static func isOfDaemon(_ owner: String) -> Bool {
        [motion, codes, publish, trigger].contains(owner) || owner.wholeMatch(of: /publish-[0-9]+/) != nil
    }

    /// True for 1 to 64 characters and at most 256 bytes, without control characters and line separators.
    package static func isValid(owner: String) -> Bool {
        ownerRange.contains(owner.count) && owner.utf8.count <= 256
            && owner.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }

    package static let summary = "The owner and the duration of a lease; a camera has at most \(mostOwners) owners."
    package static let fields: [Field] = [
        Field("owner", \.owner, "The owner of the lease; no control characters.", .length(ownerRange)),
        Field("forMs", \.forMs, "The time from now, at most 24 h; never shortens a lease.", .range(durationMsRange)),
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        if !Self.isValid(owner: owner) { throw .invalidOwner }
    }
}

extension Problem {
    static let invalidOwner = Problem.invalid(
        field: "owner",
        "is empty, has more than \(HoldRequest.ownerRange.upperBound) characters, or has a control character in it.",
        remedy: "Give a name of 1 to \(HoldRequest.ownerRange.upperBound) characters."
    )
}

/// Body of `POST /v1/cameras/{camera}/release`: the lease to end.
package struct ReleaseRequest: Hashable, WireObject, WireRequest {
    package var owner: String?
    package init() {}
    /// Ends the lease of `owner`, or all leases if nil.
    package init(owner: String?) { self.owner = owner }
    package static let summary = "The lease that ends."
    package static let fields: [Field] = [
        Field("owner", \.owner, "The owner of the lease; missing to end all leases.", .length(HoldRequest.ownerRange))
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        if let owner, !HoldRequest.isValid(owner: owner) { throw .invalidOwner }
    }
}

package struct CameraHold: Equatable, Codable, WireObject {
    /// Valid by ``HoldRequest/isValid(owner:)``.
    package var owner: String
    package var until: Timestamp
    package init(owner: String, until: Timestamp) { (self.owner, self.until) = (owner, until) }
    package static let summary = "A lease on a camera: it streams until the lease is released or has expired."
    package static let fields: [Field] = [
        Field("owner", \.owner, "The owner of the lease; no control characters.", .length(HoldRequest.ownerRange)),
        Field("until", \.until, "The end of the lease."),
    ]
}

package struct HoldList: Equatable, Codable, WireObject {
    package var holds: [CameraHold]
    package init(holds: [CameraHold]) { self.holds = holds }
    package static let summary = "Leases, by owner."
    package static let fields: [Field] = [Field("holds", \.holds)]
}

package enum Warmth: Hashable, Sendable, TextCodable, WireType {
    /// Always streaming: fastest stills, at the cost of power and a lit LED.
    case hot
    /// Stays open for this long after the last use.
    case linger(Duration)
    /// Opened for each use and closed immediately afterwards.
    case cold
    package static let standard = Warmth.linger(.seconds(10))

    /// Parses `hot`, `cold`, `linger` or `linger 10s` (``HumanDuration/parse(_:)``).
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        switch (words.first, words.count) {
        case ("hot", 1): self = .hot
        case ("cold", 1): self = .cold
        case ("linger", 1): self = .standard
        case ("linger", _):
            guard let duration = HumanDuration.parse(words.dropFirst().joined(separator: " ")) else { return nil }
            self = .linger(duration)
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .hot: "hot"
        case .linger(let duration): "linger \(HumanDuration.text(duration))"
        case .cold: "cold"
        }
    }
}

package struct CameraLatency: Equatable, Codable, WireObject {
    package var fromOff: Summary?
    package var fromRunning: Summary?
    package var settling: Settling?

    package struct Summary: Equatable, Codable, WireObject {
        package var count: Int
        package var medianMs: Milliseconds
        package var worstMs: Milliseconds

        package init(count: Int, medianMs: Milliseconds, worstMs: Milliseconds) {
            (self.count, self.medianMs, self.worstMs) = (count, medianMs, worstMs)
        }

        package static var schemaName: String? { "LatencySummary" }
        package static let summary = "The newest measurements of one kind."
        package static let fields: [Field] = [
            Field("count", \.count, "The measurements: the newest 64 at most.", ["minimum": 1, "maximum": 64]),
            Field("medianMs", \.medianMs, "The median."),
            Field("worstMs", \.worstMs, "The longest."),
        ]
    }

    package struct Settling: Equatable, Codable, WireObject {
        package var count: Int
        package var medianMs: Milliseconds
        package var worstMs: Milliseconds
        package var medianFrames: Int
        package var worstFrames: Int

        package init(count: Int, medianMs: Milliseconds, worstMs: Milliseconds, medianFrames: Int, worstFrames: Int) {
            (self.count, self.medianMs, self.worstMs) = (count, medianMs, worstMs)
            (self.medianFrames, self.worstFrames) = (medianFrames, worstFrames)
        }

        package static var schemaName: String? { "SettlingSummary" }
        package static let summary = "The newest measurements of settling."
        package static let fields: [Field] = [
            Field("count", \.count, "The number of starts: the newest 64 at most.", ["minimum": 1, "maximum": 64]),
            Field("medianMs", \.medianMs, "The median."),
            Field("worstMs", \.worstMs, "The longest."),
            Field("medianFrames", \.medianFrames, "The median number of frames, the last one included.", .positive),
            Field("worstFrames", \.worstFrames, "The most.", .positive),
        ]
    }

    package init(fromOff: Summary? = nil, fromRunning: Summary? = nil, settling: Settling? = nil) {
        (self.fromOff, self.fromRunning, self.settling) = (fromOff, fromRunning, settling)
    }

    package static let summary = "The time that a picture takes, by the state of the camera when the request arrives."
    package static let fields: [Field] = [
        Field("fromOff", \.fromOff, "From the opening of a closed device to a good frame; missing until measured."),
        Field("fromRunning", \.fromRunning, "From a request (fresh request or next) to its frame while streaming."),
        Field("settling", \.settling, "From the first good frame until exposure and white balance have settled."),
    ]
}
