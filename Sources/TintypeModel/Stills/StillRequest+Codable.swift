// SPDX-License-Identifier: Apache-2.0

extension StillRequest: FieldsReadable, Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case fresh, deadlineMs, count, everyMs, fromMs, toMs, nth, settle, integrity, width, height, crop, rotate, flip
        case lossless, quality, overlay, reject, average, size, open, keep, durability, tags
    }

    /// Also refuses fields that exclude each other.
    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        self.init()
        fresh = try fields.value(.fresh, Freshness.self) ?? fresh
        deadline = try fields.optionalMilliseconds(.deadlineMs, in: Self.deadlineMsRange) ?? deadline
        burst = try Burst(fields)
        settle = try fields.word(.settle, SettlePolicy.self) ?? settle
        integrity = try fields.word(.integrity, Integrity.self) ?? integrity
        reject =
            try fields.read(
                .reject,
                "is not a list of different words of \(ImageDefect.words).",
                remedy: "Give some of these, as in [\"black\", \"uniform\"]."
            ) { ImageDefect.parse($0) } ?? reject
        rendering = try ImageOptions(fields)
        average = try fields.integer(.average, in: Self.averageRange) ?? average
        isLargest =
            try fields.text(.size, "is not max.", remedy: "Give max, or leave it out.") { $0 == "max" ? true : nil }
            ?? isLargest
        opens = try fields.value(.open, Bool.self) ?? opens
        keep = try fields.value(.keep, Bool.self) ?? keep
        durability = try fields.word(.durability, Durability.self) ?? durability
        tags = try fields.tags(.tags) ?? tags
        try refuseConflicts(fields)
    }

    private func refuseConflicts(_ fields: FieldReader<CodingKeys>) throws(Problem) {
        if !opens { try fields.refuse(.open, with: .count, .fromMs, .size) }
        if isLargest { try fields.refuse(.size, with: .count, .everyMs, .fromMs, .toMs, .nth) }
        if average > 1 { try fields.refuse(.average, with: .fromMs, .toMs, .nth) }
        if rendering.isLossless == true {
            try fields.refuse(.lossless, with: .quality, .width, .height, .overlay)
            if average > 1 { try fields.refuse(.lossless, with: .average) }
        }
        if !reject.isEmpty {
            if average > 1 { try fields.refuse(.reject, with: .average) }
            if integrity == .raw { try fields.refuse(.reject, with: .integrity) }
            if case .span(let from, _, _) = burst, from < .zero { try fields.refuse(.reject, with: .fromMs) }
        }
        guard case .at = fresh else { return }
        let other: CodingKeys? =
            isLargest ? .size : average > 1 ? .average : settle == .always ? .settle : reject.isEmpty ? nil : .reject
        guard let other else { return }
        let remedy = "Leave one of the two out: the frames of the ring are as they were taken."
        throw .invalid(field: "fresh.atMs", "cannot be combined with \(other.stringValue).", remedy: remedy)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Milliseconds(deadline), forKey: .deadlineMs)
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
        if case .span = burst {} else { try container.encode(fresh, forKey: .fresh) }
        try container.encode(settle, forKey: .settle)
        try container.encode(integrity, forKey: .integrity)
        if !reject.isEmpty { try container.encode(ImageDefect.allCases.filter(reject.contains), forKey: .reject) }
        try container.encodeIfPresent(rendering.width, forKey: .width)
        try container.encodeIfPresent(rendering.height, forKey: .height)
        try container.encodeIfPresent(rendering.crop, forKey: .crop)
        try container.encode(rendering.turn, forKey: .rotate)
        try container.encodeIfPresent(rendering.flip, forKey: .flip)
        try container.encodeIfPresent(rendering.isLossless, forKey: .lossless)
        try container.encodeIfPresent(rendering.quality, forKey: .quality)
        try container.encodeIfPresent(rendering.overlay, forKey: .overlay)
        try container.encode(average, forKey: .average)
        if isLargest { try container.encode("max", forKey: .size) }
        try container.encode(opens, forKey: .open)
        try container.encode(keep, forKey: .keep)
        try container.encode(durability, forKey: .durability)
        if !tags.isEmpty { try container.encode(tags, forKey: .tags) }
    }
}

extension FieldReader {
    /// Tags of stored pictures, valid by ``StillRequest/areValid(tags:)``.
    func tags(_ key: Key) throws(Problem) -> [String]? {
        guard let tags = try value(key, [String].self) else { return nil }
        guard StillRequest.areValid(tags: tags) else {
            let wrong = "is not a list of at most \(StillRequest.mostTags) different tags."
            throw .invalid(field: path(of: key), wrong, remedy: StillRequest.tagRemedy)
        }
        return tags
    }
}

extension ImageOptions {
    fileprivate init(_ fields: FieldReader<StillRequest.CodingKeys>) throws(Problem) {
        self.init()
        quality = try fields.integer(.quality, in: Self.qualityRange)
        width = try fields.integer(.width, in: Self.sideRange)
        height = try fields.integer(.height, in: Self.sideRange)
        crop = try fields.text(.crop, "is not a rectangle.", remedy: SettingText.crop) { CropRectangle($0) }
        turn =
            try fields.read(
                .rotate,
                "is none of 0, 90, 180 and 270.",
                remedy: "Give one of these numbers: degrees, clockwise."
            ) { Turn(rawValue: $0) } ?? turn
        flip = try fields.word(.flip, Flip.self)
        isLossless = try fields.value(.lossless, Bool.self)
        overlay = try fields.text(
            .overlay,
            "is not a text of \(Self.overlayRange.lowerBound) to \(Self.overlayRange.upperBound) characters in one line.",
            remedy: "Give such a text, as in %Y-%m-%d %H:%M:%S."
        ) { Self.isValid(overlay: $0) ? $0 : nil }
    }

    /// True if a text can be an overlay: one line of 1 to 200 characters.
    package static func isValid(overlay: String) -> Bool {
        overlayRange.contains(overlay.count) && !overlay.contains(where: \.isNewline)
    }
}

extension Burst {
    fileprivate init?(_ fields: FieldReader<StillRequest.CodingKeys>) throws(Problem) {
        for span in [StillRequest.CodingKeys.fromMs, .toMs, .nth] {
            try fields.refuse(span, with: .count, .everyMs, .fresh)
        }
        let count = try fields.integer(.count, in: Self.countRange)
        let every = try fields.optionalMilliseconds(.everyMs, in: Self.everyMsRange)
        let from = try fields.optionalMilliseconds(.fromMs, in: Self.spanMsRange)
        let to = try fields.optionalMilliseconds(.toMs, in: Self.spanMsRange)
        let nth = try fields.integer(.nth, in: Self.nthRange)
        guard from == nil, to == nil, nth == nil else {
            let (from, to) = (from ?? .zero, to ?? .zero)
            guard from < to else {
                let remedy = "Give the start and the end of a span in milliseconds from now; each is 0 if left out."
                throw .invalid(field: "toMs", "is not later than fromMs.", remedy: remedy)
            }
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
