// SPDX-License-Identifier: Apache-2.0

/// The parameters of `GET …/still.jpg`: the fields of a ``StillRequest`` that make sense for one picture.
///
/// They are turned into the fields of the JSON form, and the other way round, so that every bound and every sentence is
/// written once.
enum StillQuery {
    /// How a parameter is written in JSON.
    enum Kind {
        /// A number.
        case number
        /// `true` or `false`, also 1 or 0.
        case flag
        /// A text as it is.
        case text
        /// Texts, with a comma between two.
        case list
    }

    /// What each parameter is; `maxAgeMs` and `atMs` are the two forms of `fresh` that are objects in JSON.
    static let kinds: [(name: String, kind: Kind)] =
        [(fresh, .text)] + ages.map { ($0, .number) }
        + [
            ("deadlineMs", .number), ("settle", .text), ("integrity", .text), ("width", .number), ("height", .number),
            ("crop", .text), ("rotate", .number), ("flip", .text), ("lossless", .flag), ("quality", .number),
            ("overlay", .text), ("reject", .list), ("average", .number), ("size", .text), ("keep", .flag),
            ("durability", .text),
            ("tags", .list),
        ]

    static let fresh = "fresh"
    static let ages = ["maxAgeMs", "atMs"]

    /// What all parameters are that are left out.
    static let defaults = StillRequest(keep: false)

    /// The fields of the JSON object that `parameters` mean.
    ///
    /// A value that is not of its parameter's kind stays a text, which the field then refuses in its own words.
    static func fields(_ parameters: [(name: String, value: String)]) throws(Problem) -> [String: FieldValue] {
        var fields: [String: FieldValue] = ["keep": .flag(defaults.keep)]
        var seen: Set<String> = []
        for (name, text) in parameters {
            guard let kind = kinds.first(where: { $0.name == name })?.kind else {
                throw .unknown(field: name, known: kinds.map(\.name))
            }
            guard seen.insert(name).inserted else {
                throw .invalid(field: name, "is given more than once.", remedy: "Give it once.")
            }
            let value = FieldValue(text, kind)
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
    /// Reads the value of a parameter.
    init(_ text: String, _ kind: StillQuery.Kind) {
        switch kind {
        case .number:
            // JSON knows neither 0x10 nor nan, which Swift reads as numbers (RFC 8259, section 6).
            let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            let number = isDecimal ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
            self = number.map(Self.number) ?? .text(text)
        case .flag:
            switch text {
            case "true", "1": self = .flag(true)
            case "false", "0": self = .flag(false)
            default: self = .text(text)
            }
        case .text: self = .text(text)
        case .list:
            self = .list(text.split(separator: ",", omittingEmptySubsequences: false).map { .text(String($0)) })
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
