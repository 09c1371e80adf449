// SPDX-License-Identifier: Apache-2.0

extension FrameFilter: FieldReadable, Encodable {
    /// The keys of the JSON form.
    enum CodingKeys: String, CodingKey, CaseIterable {
        case all, any, not, camera, tag, verdict, settled, pinned, lost, id, source, from, to, on, sinceMs, bytes, width
        case height
    }

    /// Reads the JSON form: an object of one condition, as in `{"camera": "yard"}`, `{"bytes": {"min": 1, "max": 2}}`,
    /// `{"all": […]}`, `{"any": […]}` or `{"not": …}`, of several, which must all fit, or the text form as a string.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the field that is wrong, in a text also the character.
    package init?(field value: FieldValue, at path: String) throws(Problem) {
        // Each list and each object is a level of the path.
        guard path.split(separator: ".").count <= 2 * Self.mostLevels else { throw Self.tooMany(path) }
        if case .text(let text) = value {
            self = try FrameFilter(parsing: text, field: path.isEmpty ? "where" : path)
            return
        }
        guard let fields = try FieldReader<CodingKeys>(value, at: path) else { return nil }
        var filters: [FrameFilter] = []
        for key in CodingKeys.allCases { if let filter = try Self.read(key, fields) { filters.append(filter) } }
        self = filters.count == 1 ? filters[0] : .all(filters)
        guard conditionCount <= Self.mostConditions else { throw Self.tooMany(path) }
    }

    private static func tooMany(_ path: String) -> Problem {
        Problem.invalid(
            field: path.isEmpty ? "where" : path,
            "has more than \(Self.mostConditions) conditions, or is nested deeper than \(Self.mostLevels) levels.",
            remedy: "Use fewer, such as a pattern in place of many names."
        )
    }

    private static func read(_ key: CodingKeys, _ fields: FieldReader<CodingKeys>) throws(Problem) -> FrameFilter? {
        guard fields[key] != nil else { return nil }
        switch key {
        case .all: return .all(try list(key, fields))
        case .any: return .any(try list(key, fields))
        case .not:
            return try fields.value(key, FrameFilter.self, "is no filter.", remedy: "Give an object such as {}.").map {
                .not($0)
            }
        case .settled: return try fields.value(key, Bool.self).map { .is(.settled($0)) }
        case .pinned: return try fields.value(key, Bool.self).map { .is(.pinned($0)) }
        case .lost: return try fields.value(key, Bool.self).map { .is(.lost($0)) }
        case .sinceMs:
            return try fields.optionalMilliseconds(key, in: 1...FrameField.ages.upperBound.millisecondCount).map {
                age in
                // To the millisecond, as the text form has it.
                .is(.since(.milliseconds(Int64(age.millisecondCount.rounded()))))
            }
        case .bytes, .width, .height:
            guard let measure = FrameMeasure(rawValue: key.rawValue) else { return nil }
            return try range(key, fields).map { .is(.measure(measure, $0)) }
        case .camera, .tag, .verdict, .id, .source, .from, .to, .on:
            guard let field = FrameField(rawValue: key.rawValue) else { return nil }
            return try fields.text(key, "is no \(key.rawValue).", remedy: field.remedy, field.filter)
        }
    }

    private static func list(_ key: CodingKeys, _ fields: FieldReader<CodingKeys>) throws(Problem) -> [FrameFilter] {
        let path = fields.path(of: key)
        let wrong = Problem.invalid(
            field: path,
            "is no list of filters.",
            remedy: #"Give a list of filters, as in [{"tag": "alarm"}, {"pinned": true}]."#
        )
        guard case .list(let items) = fields[key] else { throw wrong }
        var filters: [FrameFilter] = []
        var count = 0
        for (index, item) in items.enumerated() {
            guard let filter = try FrameFilter(field: item, at: "\(path).\(index)") else { throw wrong }
            count += filter.conditionCount
            // What is behind it is not read any more.
            guard count <= mostConditions else { throw tooMany(path) }
            filters.append(filter)
        }
        return filters
    }

    private static func range(
        _ key: CodingKeys,
        _ fields: FieldReader<CodingKeys>
    ) throws(Problem) -> ClosedRange<Int>? {
        let remedy = #"Give its bounds, as in {"min": 1, "max": 2}, or one of the two."#
        return try fields.value(key, FrameRange.self, "is no range of numbers.", remedy: remedy)?.numbers
    }

    /// Writes the JSON form.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .all(let filters): try container.encode(filters, forKey: .all)
        case .any(let filters): try container.encode(filters, forKey: .any)
        case .not(let filter): try container.encode(filter, forKey: .not)
        case .is(.camera(let name)): try container.encode(name, forKey: .camera)
        case .is(.tag(let tag)): try container.encode(tag, forKey: .tag)
        case .is(.verdict(let verdict)): try container.encode(verdict, forKey: .verdict)
        case .is(.settled(let isSettled)): try container.encode(isSettled, forKey: .settled)
        case .is(.pinned(let isPinned)): try container.encode(isPinned, forKey: .pinned)
        case .is(.lost(let isLost)): try container.encode(isLost, forKey: .lost)
        case .is(.id(let id)): try container.encode(id, forKey: .id)
        case .is(.source(let source)): try container.encode(source, forKey: .source)
        case .is(.from(let time)): try container.encode(time, forKey: .from)
        case .is(.to(let time)): try container.encode(time, forKey: .to)
        case .is(.since(let age)): try container.encode(Milliseconds(age), forKey: .sinceMs)
        case .is(.measure(let measure, let range)): try [measure.rawValue: FrameRange(range)].encode(to: encoder)
        }
    }
}

/// The JSON form of a range of numbers.
private struct FrameRange: FieldReadable, Encodable {
    let numbers: ClosedRange<Int>

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case min, max
    }

    init(_ numbers: ClosedRange<Int>) { self.numbers = numbers }

    init?(field value: FieldValue, at path: String) throws(Problem) {
        guard let fields = try FieldReader<CodingKeys>(value, at: path) else { return nil }
        let least = try fields.integer(.min, in: 0...1 << 50)
        let most = try fields.integer(.max, in: 0...1 << 50)
        guard least != nil || most != nil, least ?? 0 <= most ?? .max else {
            throw .invalid(
                field: path,
                "has no number in it.",
                remedy: "Give min, max or both, min not greater than max."
            )
        }
        numbers = (least ?? 0)...(most ?? .max)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if numbers.lowerBound > 0 || numbers.upperBound == .max {
            try container.encode(numbers.lowerBound, forKey: .min)
        }
        if numbers.upperBound < .max { try container.encode(numbers.upperBound, forKey: .max) }
    }
}

extension FrameFilter: WireObject {
    package static let summary = """
        A filter that selects frames: an object whose fields must all match, or the text form, as in camera:yard, \
        any(tag:alarm, bytes>2M), not pinned. At most 256 conditions, where an empty list or object counts as one, and 32 \
        levels.
        """

    package static let fields: [Field] = [
        Field("all", of: [FrameFilter].schema, "All of these match; an empty list matches every frame."),
        Field("any", of: [FrameFilter].schema, "At least one of these matches; an empty list matches no frame."),
        Field("not", of: FrameFilter.schema),
        Field("camera", of: pattern, "The camera; * stands for any characters or none, ? for one."),
        Field("tag", of: pattern, "A tag that it has, or a pattern of one."),
        Field("verdict", of: Verdict.schema, "How intact it is."),
        Field("settled", of: Bool.schema, "Whether exposure and white balance had settled."),
        Field("pinned", of: Bool.schema, "Whether it is pinned."),
        Field("lost", of: Bool.schema, "Whether its file is missing."),
        Field("id", of: FrameID.schema, "Its id."),
        Field("source", of: FrameSource.schema, "How it came into the spool."),
        Field("from", of: String.schema, "Captured at this moment or later, as in 2026-11-20 or 2026-11-20T12:30Z."),
        Field("to", of: String.schema, "Captured before this moment."),
        Field("on", of: String.schema, "Captured on this day, as in 2026-11-20 or 2026-11-20+01:00."),
        Field("sinceMs", of: Milliseconds.schema, "Captured no longer ago than this.", .positive),
        Field("bytes", of: range, "Bytes of the file."),
        Field("width", of: range, "Pixels a row."),
        Field("height", of: range, "Rows."),
    ]

    /// The text form, or an object of its fields.
    package static var definition: OrderedJSON {
        [
            "description": .text(summary),
            "oneOf": [
                ["type": "string", "maxLength": .integer(longestText)],
                [
                    "type": "object",
                    "properties": .object(fields.map { OrderedJSON.Member($0.name, $0.schema) }),
                    "additionalProperties": false,
                ],
            ],
        ]
    }

    private static let pattern: OrderedJSON = String.schema.adding(.length(1...64))

    private static let range: OrderedJSON = [
        "type": "object",
        "properties": [
            "min": ["type": "integer", "description": "At least this.", "minimum": 0],
            "max": ["type": "integer", "description": "At most this.", "minimum": 0],
        ],
        "additionalProperties": false,
    ]
}
