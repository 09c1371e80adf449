// SPDX-License-Identifier: Apache-2.0

/// Any key of a JSON object, to find the unknown ones.
struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Problem {
    /// An `invalid-request` for one field: "The field NAME WRONG".
    package static func invalid(field: String, _ wrong: String, remedy: String) -> Problem {
        Problem(.invalidRequest, "The field \(field) \(wrong)", remedy: remedy, field: field)
    }

    /// An `invalid-request` for an unknown field.
    static func unknown(field: String, known: [String]) -> Problem {
        .invalid(
            field: field,
            "is not known.",
            remedy: Spelling.remedy(
                for: field.split(separator: ".").last.map(String.init) ?? field,
                among: known,
                otherwise: "Leave it out."
            )
        )
    }

    /// An `invalid-request` for a field that makes no sense beside another.
    static func conflict(field: String, with other: String) -> Problem {
        .invalid(field: field, "cannot be combined with \(other).", remedy: "Give one of the two.")
    }
}

/// Reads the fields of a request so that every error names its field and says what would be right.
struct FieldReader<Key: CodingKey> {
    let container: KeyedDecodingContainer<Key>
    private let names: [String]

    /// Reads an object that has no other keys than those of `Key`; throws ``Problem`` that names one that has.
    init(_ decoder: any Decoder) throws where Key: CaseIterable {
        container = try decoder.container(keyedBy: Key.self)
        names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
        try refuseUnknown(known: Key.allCases.map(\.stringValue))
    }

    /// A path as problems write it: names and, in lists, numbers from 0, with dots between.
    static func path(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }.joined(separator: ".")
    }

    private func path(_ name: String) -> String {
        let parent = Self.path(container.codingPath)
        return parent.isEmpty ? name : "\(parent).\(name)"
    }

    private func refuseUnknown(known: [String]) throws {
        guard let unknown = names.first(where: { !known.contains($0) }) else { return }
        throw Problem.unknown(field: path(unknown), known: known)
    }

    /// Refuses a field that makes no sense beside another that is there.
    func refuse(_ key: Key, with other: Key) throws {
        guard container.contains(key), container.contains(other) else { return }
        throw Problem.conflict(field: path(key.stringValue), with: other.stringValue)
    }

    /// A value; nil where the field is not there.
    ///
    /// Null is a value of the wrong type, here and in every other field: the contract has none. `wrong` and `remedy` are for
    /// a type that has no name for a client.
    func value<T: Decodable>(
        _ key: Key,
        _ type: T.Type,
        _ wrong: String = "has the wrong type.",
        remedy: String? = nil
    ) throws -> T? {
        guard container.contains(key) else { return nil }
        do {
            return try container.decode(type, forKey: key)
        } catch let problem as Problem {
            throw problem
        } catch {
            let remedy = remedy ?? "Give \(Self.name(of: type))."
            throw Problem.invalid(field: path(key.stringValue), wrong, remedy: remedy)
        }
    }

    /// A type in a client's words.
    private static func name(of type: Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is String.Type: "a text"
        case is [String].Type: "a list of texts"
        default: "what the contract (/openapi.json) says of this field"
        }
    }

    func integer(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
        guard container.contains(key) else { return nil }
        guard let value = try? container.decode(Int.self, forKey: key), range.contains(value) else {
            throw Problem.invalid(
                field: path(key.stringValue),
                "is not a whole number from \(range.lowerBound) to \(range.upperBound).",
                remedy: "Give such a number."
            )
        }
        return value
    }

    func optionalMilliseconds(_ key: Key, in range: ClosedRange<Double>) throws -> Duration? {
        guard container.contains(key) else { return nil }
        guard let value = try? container.decode(Double.self, forKey: key), range.contains(value) else {
            throw Problem.invalid(
                field: path(key.stringValue),
                "is not a number of milliseconds from \(Int(range.lowerBound)) to \(Int(range.upperBound)).",
                remedy: "Give such a number."
            )
        }
        return .microseconds(Int64((value * 1000).rounded()))
    }

    func milliseconds(_ key: Key, in range: ClosedRange<Double>) throws -> Duration {
        guard let value = try optionalMilliseconds(key, in: range) else {
            throw Problem.invalid(field: path(key.stringValue), "is missing.", remedy: "Give a number of milliseconds.")
        }
        return value
    }

    /// What `read` makes of a text, or of a whole number as text where that is taken too; nil where the field is not
    /// there.
    func text<T>(
        _ key: Key,
        orNumber takesNumber: Bool = false,
        _ wrong: String,
        remedy: String,
        _ read: (String) -> T?
    ) throws -> T? {
        guard container.contains(key) else { return nil }
        var text = try? container.decode(String.self, forKey: key)
        if text == nil, takesNumber { text = (try? container.decode(Int.self, forKey: key)).map { "\($0)" } }
        guard let value = text.flatMap(read) else {
            throw Problem.invalid(field: path(key.stringValue), wrong, remedy: remedy)
        }
        return value
    }

    func word<T: RawRepresentable & CaseIterable>(_ key: Key, _ type: T.Type) throws -> T?
    where T.RawValue == String {
        guard container.contains(key) else { return nil }
        guard let word = try? container.decode(String.self, forKey: key), let value = T(rawValue: word) else {
            throw Problem.invalid(
                field: path(key.stringValue),
                "is none of \(T.allCases.map(\.rawValue).joined(separator: ", ")).",
                remedy: "Use one of these."
            )
        }
        return value
    }
}
