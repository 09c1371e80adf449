// SPDX-License-Identifier: Apache-2.0

/// The parameters of `GET …/still.jpg`: the fields of a ``StillRequest`` that make sense for one picture.
///
/// They are turned into the fields of the JSON form, and the other way round, so that every bound and every sentence is
/// written once.
enum StillQuery {
    static let fresh = "fresh"
    static let ages = ["maxAgeMs", "atMs"]

    /// The parameters in the order of the contract.
    static let parameters = StillRequest.queryFields

    /// What all parameters are that are left out.
    static let defaults = StillRequest(keep: false)

    /// The fields of the JSON object that `parameters` mean.
    ///
    /// A value that is not of its parameter's type stays a text, which the field then refuses in its own words.
    static func fields(_ parameters: [(name: String, value: String)]) throws(Problem) -> [String: FieldValue] {
        var fields: [String: FieldValue] = ["keep": .flag(defaults.keep)]
        var seen: Set<String> = []
        for (name, text) in parameters {
            guard let field = Self.parameters.first(where: { $0.name == name }) else {
                throw .unknown(field: name, known: Self.parameters.map(\.name))
            }
            guard seen.insert(name).inserted else {
                throw .invalid(field: name, "is given more than once.", remedy: "Give it once.")
            }
            let value = FieldValue(text, as: field.valueSchema)
            if ages.contains(name) {
                guard fields[fresh] == nil else {
                    throw .conflict(field: name, with: ([fresh] + ages).first { $0 != name && seen.contains($0) } ?? "")
                }
                fields[fresh] = .object([name: value])
            } else {
                guard name != fresh || fields[fresh] == nil else {
                    throw .conflict(field: ages.first(where: seen.contains) ?? "", with: fresh)
                }
                fields[name] = value
            }
        }
        return fields
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
    /// Reads the parameters of `GET …/still.jpg`, decoded, in any order; every one may be left out, and `keep` is then
    /// false.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the parameter.
    package init(query parameters: [(name: String, value: String)]) throws(Problem) {
        guard !parameters.isEmpty else {
            self = StillQuery.defaults
            return
        }
        let fields = try StillQuery.fields(parameters)
        do throws(Problem) {
            self = try StillRequest(fields: fields)
        } catch {
            throw error.unnested(from: StillQuery.fresh)
        }
    }

    /// The parameters of `GET …/still.jpg` that ask for this; what has its default is left out.
    ///
    /// A burst is left out, too: there is one picture in the reply. Throws nothing that a request of valid values would
    /// cause.
    package var query: [(name: String, value: String)] {
        get throws {
            let fields = try StillQuery.fields(of: self)
            let defaults = try StillQuery.fields(of: StillQuery.defaults)
            return StillQuery.parameters.compactMap { field in
                guard let value = fields[field.name], value != defaults[field.name] else { return nil }
                return (field.name, value.parameter)
            }
        }
    }
}

extension StillQuery {
    /// The fields of `request` by the names of their parameters.
    fileprivate static func fields(of request: StillRequest) throws -> [String: FieldValue] {
        var fields = try WireFormat.decode([String: FieldValue].self, from: try WireFormat.encode(request))
        guard case .object(let age) = fields[fresh] else { return fields }
        fields[fresh] = nil
        return fields.merging(age) { first, _ in first }
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
