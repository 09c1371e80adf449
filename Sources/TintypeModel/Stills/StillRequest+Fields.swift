// SPDX-License-Identifier: Apache-2.0

extension StillRequest {
    /// `size` on the wire.
    package enum Size: String, CaseIterable, Codable, WireType {
        case max
        package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
            ("is not max.", "Give max, or leave it out.")
        }
    }

    var size: Size? {
        get { isLargest ? .max : nil }
        set { isLargest = newValue != nil }
    }

    var deadlineMs: Milliseconds {
        get { Milliseconds(deadline) }
        set { deadline = newValue.duration }
    }

    var rejected: [ImageDefect] {
        get { ImageDefect.allCases.filter(reject.contains) }
        set { reject = Set(newValue) }
    }

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        burst = try Burst(FieldReader<BurstKey>(checked: given))
        if let overlay = rendering.overlay, !ImageOptions.isValid(overlay: overlay) {
            let range = ImageOptions.overlayRange
            let wrong = "is not a text of \(range.lowerBound) to \(range.upperBound) characters in one line."
            throw .invalid(field: "overlay", wrong, remedy: "Give such a text, as in %Y-%m-%d %H:%M:%S.")
        }
        if !opens { try given.refuse("open", with: "count", "fromMs", "size") }
        if isLargest { try given.refuse("size", with: "count", "everyMs", "fromMs", "toMs", "nth") }
        if average > 1 { try given.refuse("average", with: "fromMs", "toMs", "nth") }
        if rendering.isLossless == true {
            try given.refuse("lossless", with: "quality", "width", "height", "overlay")
            if average > 1 { try given.refuse("lossless", with: "average") }
        }
        if !reject.isEmpty {
            if average > 1 { try given.refuse("reject", with: "average") }
            if integrity == .raw { try given.refuse("reject", with: "integrity") }
            if case .span(let from, _, _) = burst, from < .zero { try given.refuse("reject", with: "fromMs") }
        }
        guard case .at = fresh else { return }
        let other: String? =
            isLargest
            ? "size" : average > 1 ? "average" : settle == .always ? "settle" : reject.isEmpty ? nil : "reject"
        guard let other else { return }
        let remedy = "Leave one of the two out: the frames of the ring are as they were taken."
        throw .invalid(field: "fresh.atMs", "cannot be combined with \(other).", remedy: remedy)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: BurstKey.self)
        switch burst {
        case .count(let count, let every):
            try container.encode(count, forKey: .count)
            try container.encode(Milliseconds(every), forKey: .everyMs)
        case .span(let from, let to, let nth):
            try container.encode(Milliseconds(from), forKey: .fromMs)
            try container.encode(Milliseconds(to), forKey: .toMs)
            try container.encode(nth, forKey: .nth)
        case nil: break
        }
        // A span implies its frames.
        let isSpan = if case .span = burst { true } else { false }
        try encodeFields(to: encoder, without: isSpan ? ["fresh"] : [])
    }
}

extension ImageOptions {
    package static func isValid(overlay: String) -> Bool {
        overlayRange.contains(overlay.count) && !overlay.contains(where: \.isNewline)
    }
}

private enum BurstKey: String, CodingKey, CaseIterable { case count, everyMs, fromMs, toMs, nth, fresh }

extension Burst {
    fileprivate init?(_ fields: FieldReader<BurstKey>) throws(Problem) {
        for span in [BurstKey.fromMs, .toMs, .nth] {
            try fields.refuse(span, with: .count, .everyMs, .fresh)
        }
        let count = try fields.integer(.count, in: Self.countRange)
        let every = try fields.milliseconds(.everyMs, in: Self.everyMsRange)
        let from = try fields.milliseconds(.fromMs, in: Self.spanMsRange)
        let to = try fields.milliseconds(.toMs, in: Self.spanMsRange)
        let nth = try fields.integer(.nth, in: Self.nthRange)
        guard from == nil, to == nil, nth == nil else {
            let remedy = "Give the start and the end of a span in milliseconds from now; each is 0 if left out."
            guard from != nil || to != nil else {
                throw .invalid(field: "nth", "needs fromMs or toMs beside it.", remedy: remedy)
            }
            let (from, to) = (from ?? .zero, to ?? .zero)
            guard from < to else { throw .invalid(field: "toMs", "is not later than fromMs.", remedy: remedy) }
            self = .span(from: from, to: to, nth: nth ?? 1)
            return
        }
        guard let count else {
            guard every == nil else {
                throw .invalid(field: "everyMs", "needs count beside it.", remedy: "Say how many stills.")
            }
            return nil
        }
        guard count > 1 || every != nil else { return nil }
        self = .count(count, every: every ?? .zero)
    }
}
