// SPDX-License-Identifier: Apache-2.0

extension [String: FieldValue] {
    /// Each parameter must be in `known` and occur once; a value of the wrong type stays a text, refused by its field.
    init<Root>(query parameters: [(name: String, value: String)], of known: [WireField<Root>]) throws(Problem) {
        self = [:]
        for (name, text) in parameters {
            guard let field = known.first(where: { $0.name == name }) else {
                throw .unknown(field: name, known: known.map(\.name))
            }
            guard updateValue(FieldValue(text, as: field.valueSchema), forKey: name) == nil else {
                throw .invalid(field: name, "is given more than once.", remedy: "Give it once.")
            }
        }
    }
}

extension FieldValue {
    /// Parses a parameter by the type in `schema`: a number, `true`, `false`, 1 or 0, a comma-separated list, or a
    /// text.
    init(_ text: String, as schema: OrderedJSON) {
        switch schema.type {
        case "number", "integer":
            // Swift parses 0x10 and nan as numbers, JSON does not (RFC 8259, section 6).
            let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            let number = isDecimal ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
            self = number.map(Self.number) ?? .text(text)
        case "boolean":
            switch text {
            case "true", "1": self = .flag(true)
            case "false", "0": self = .flag(false)
            default: self = .text(text)
            }
        case "array":
            self = .list(text.split(separator: ",", omittingEmptySubsequences: false).map { .text(String($0)) })
        default: self = .text(text)
        }
    }

    var parameter: String {
        switch self {
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .flag(let flag): "\(flag)"
        case .text(let text), .plain(let text): text
        case .list(let items): items.map(\.parameter).joined(separator: ",")
        case .object, .unusable: ""
        }
    }
}

extension StillRequest {
    /// Fields for a single picture, `keep` with another default, and one parameter for each form of ``Freshness``.
    package static let queryFields: [Field] =
        [
            Field("fresh", of: Freshness.wordSchema.defaulting(to: "request"), "Excludes maxAgeMs and atMs."),
            Field("maxAgeMs", of: Double.schema, "The greatest age at the request.", .range(Freshness.maxAgeMsRange)),
            Field("atMs", of: Double.schema, "The last frame of the ring before then.", .range(Freshness.atMsRange)),
        ]
        + fields.filter { !["fresh", "count", "everyMs", "fromMs", "toMs", "nth"].contains($0.name) }.map { field in
            guard field.name == "keep" else { return field }
            return Field("keep", \.keep, "Whether the picture is stored; HEAD stores nothing.", ["default": false])
        }

    private static let ages = ["maxAgeMs", "atMs"]

    /// Reads parameters of `GET …/still.jpg` as the JSON form; throws `invalid-request` with the parameter's name.
    package init(query parameters: [(name: String, value: String)]) throws(Problem) {
        guard !parameters.isEmpty else {
            self.init(keep: false)
            return
        }
        var fields = try [String: FieldValue](query: parameters, of: Self.queryFields)
        fields["keep"] = fields["keep"] ?? .flag(false)
        let given = parameters.map(\.name).filter(Self.ages.contains)
        if let age = given.first, let value = fields.removeValue(forKey: age) {
            if given.count > 1 { throw .conflict(field: given[1], with: age) }
            guard fields["fresh"] == nil else { throw .conflict(field: age, with: "fresh") }
            fields["fresh"] = .object([age: value])
        }
        do throws(Problem) {
            try self.init(fields, of: Self.fields)
        } catch {
            throw error.unnested(from: "fresh")
        }
    }

    /// Query of `GET …/still.jpg` without the burst and without parameters that have their default; never throws for
    /// valid values.
    package var query: [(name: String, value: String)] {
        get throws {
            let (fields, defaults) = (try parameters, try StillRequest(keep: false).parameters)
            return Self.queryFields.compactMap { field in
                guard let value = fields[field.name], value != defaults[field.name] else { return nil }
                return (field.name, value.parameter)
            }
        }
    }

    private var parameters: [String: FieldValue] {
        get throws {
            var fields = try WireFormat.decode([String: FieldValue].self, from: try WireFormat.encode(self))
            guard case .object(let age) = fields["fresh"] else { return fields }
            fields["fresh"] = nil
            return fields.merging(age) { first, _ in first }
        }
    }
}

extension Problem {
    /// Renames a field that is a member of `object` in JSON but a parameter of its own in a query.
    fileprivate func unnested(from object: String) -> Problem {
        guard let path = field, path.hasPrefix("\(object).") else { return self }
        var problem = self
        let name = String(path.dropFirst(object.count + 1))
        problem.field = name
        problem.detail = detail.replacing(path, with: name)
        return problem
    }
}
