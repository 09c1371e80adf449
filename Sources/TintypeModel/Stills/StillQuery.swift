// SPDX-License-Identifier: Apache-2.0

extension [String: FieldValue] {
    /// The fields of the JSON object that the parameters of a query mean, each one of `known` and there once.
    ///
    /// A value that is not of its parameter's type stays a text, which the field then refuses in its own words.
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
    /// Reads the value of a parameter: a number, `true`, `false`, 1 or 0, a list with a comma between two texts, or a
    /// text as it is.
    init(_ text: String, as schema: OrderedJSON) {
        switch schema["type"] {
        case "number", "integer":
            // JSON knows neither 0x10 nor nan, which Swift reads as numbers (RFC 8259, section 6).
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

    /// The value as a parameter; an object has none.
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
    /// The parameters of `GET …/still.jpg`: the fields that make sense for one picture, `keep` with another default, and
    /// each form of ``Freshness`` as a parameter of its own.
    package static let queryFields: [Field] =
        [
            Field(
                "fresh",
                of: Freshness.wordSchema.defaulting(to: "request"),
                "How fresh the picture must be; not together with maxAgeMs or atMs."
            ),
            Field(
                "maxAgeMs",
                of: Double.schema,
                "The greatest age of the picture when the request arrives; not together with fresh or atMs.",
                .range(Freshness.maxAgeMsRange)
            ),
            Field(
                "atMs",
                of: Double.schema,
                """
                The frame of the ring whose exposure began last before this moment, in milliseconds from the request; not \
                together with fresh or maxAgeMs.
                """,
                .range(Freshness.atMsRange)
            ),
        ]
        + fields.filter { !["fresh", "count", "everyMs", "fromMs", "toMs", "nth"].contains($0.name) }.map { field in
            guard field.name == "keep" else { return field }
            return Field("keep", \.keep, "Whether the picture is stored; HEAD stores nothing.", ["default": false])
        }
}

extension StillRequest {
    /// The parameters that stand for forms of ``fresh`` that are no word.
    private static let ages = ["maxAgeMs", "atMs"]

    /// Reads the parameters of `GET …/still.jpg`, decoded, in any order; every one may be left out, and `keep` is then
    /// false.
    ///
    /// They are turned into the fields of the JSON form, and ``query`` the other way round, so that every bound and
    /// every sentence is written once. Throws ``Problem`` with code `invalid-request` that names the parameter.
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
            self = try StillRequest(fields: fields)
        } catch {
            throw error.unnested(from: "fresh")
        }
    }

    /// The parameters of `GET …/still.jpg` that ask for this; what has its default is left out.
    ///
    /// A burst is left out, too: there is one picture in the reply. Throws nothing that a request of valid values would
    /// cause.
    package var query: [(name: String, value: String)] {
        get throws {
            let (fields, defaults) = (try parameters, try StillRequest(keep: false).parameters)
            return Self.queryFields.compactMap { field in
                guard let value = fields[field.name], value != defaults[field.name] else { return nil }
                return (field.name, value.parameter)
            }
        }
    }

    /// The fields by the names of their parameters.
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
    /// The problem of a field that is a member of `object` in JSON, and stands alone in a query.
    fileprivate func unnested(from object: String) -> Problem {
        guard let path = field, path.hasPrefix("\(object).") else { return self }
        var problem = self
        let name = String(path.dropFirst(object.count + 1))
        problem.field = name
        problem.detail = detail.replacing(path, with: name)
        return problem
    }
}
