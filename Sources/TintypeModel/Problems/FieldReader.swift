// SPDX-License-Identifier: Apache-2.0

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
struct FieldReader<Key: CodingKey & CaseIterable> {
    private let fields: [String: FieldValue]
    /// Where the object stands in the request: names and, in lists, numbers from 0, with dots between; empty for the
    /// whole.
    private let path: String

    /// Reads an object that has no other keys than those of `Key`; nil where `value` is none.
    ///
    /// Throws ``Problem`` that names a key that is not known.
    init?(_ value: FieldValue, at path: String) throws(Problem) {
        guard case .object(let fields) = value else { return nil }
        self.fields = fields
        self.path = path
        let known = Key.allCases.map(\.stringValue)
        guard let unknown = fields.keys.filter({ !known.contains($0) }).min() else { return }
        throw .unknown(field: self.path(of: unknown), known: known)
    }

    /// The field as it is; nil where it is not there.
    subscript(key: Key) -> FieldValue? { fields[key.stringValue] }

    /// Where a field stands, whether it is there or not.
    func path(of key: Key) -> String { path(of: key.stringValue) }

    private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// Refuses a field that makes no sense beside another that is there.
    func refuse(_ key: Key, with other: Key) throws(Problem) {
        guard self[key] != nil, self[other] != nil else { return }
        throw .conflict(field: path(of: key), with: other.stringValue)
    }

    /// A value; nil where the field is not there.
    ///
    /// Null is a value of the wrong type, here and in every other field: the contract has none. `wrong` and `remedy` are for
    /// a type that has no name for a client.
    func value<T: FieldReadable>(
        _ key: Key,
        _ type: T.Type,
        _ wrong: String = "has the wrong type.",
        remedy: String? = nil
    ) throws(Problem) -> T? {
        guard let field = self[key] else { return nil }
        let path = path(of: key)
        if let value = try T(field: field, at: path) { return value }
        throw .invalid(field: path, wrong, remedy: remedy ?? "Give \(Self.name(of: type)).")
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

    func integer(_ key: Key, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        try number(
            key,
            "is not a whole number from \(range.lowerBound) to \(range.upperBound).",
            remedy: "Give such a number."
        ) { range.contains($0) ? $0 : nil }
    }

    /// What `read` makes of a whole number; nil where the field is not there.
    func number<T>(
        _ key: Key,
        _ wrong: @autoclosure () -> String,
        remedy: @autoclosure () -> String,
        _ read: (Int) -> T?
    ) throws(Problem) -> T? {
        try self.read(key, wrong(), remedy(), read)
    }

    func optionalMilliseconds(_ key: Key, in range: ClosedRange<Double>) throws(Problem) -> Duration? {
        try read(
            key,
            "is not a number of milliseconds from \(Int(range.lowerBound)) to \(Int(range.upperBound)).",
            "Give such a number."
        ) { (number: Double) in range.contains(number) ? .microseconds(Int64((number * 1000).rounded())) : nil }
    }

    func milliseconds(_ key: Key, in range: ClosedRange<Double>) throws(Problem) -> Duration {
        if let value = try optionalMilliseconds(key, in: range) { return value }
        throw .invalid(field: path(of: key), "is missing.", remedy: "Give a number of milliseconds.")
    }

    /// What `read` makes of a text, or of a whole number as text where that is taken too; nil where the field is not
    /// there.
    func text<T>(
        _ key: Key,
        orNumber takesNumber: Bool = false,
        _ wrong: @autoclosure () -> String,
        remedy: @autoclosure () -> String,
        _ read: (String) -> T?
    ) throws(Problem) -> T? {
        if takesNumber, let number = self[key].flatMap({ Int(field: $0, at: path(of: key)) }),
            let value = read("\(number)")
        {
            return value
        }
        return try self.read(key, wrong(), remedy(), read)
    }

    func word<T: RawRepresentable & CaseIterable>(_ key: Key, _ type: T.Type) throws(Problem) -> T?
    where T.RawValue == String {
        let words = { T.allCases.map(\.rawValue).joined(separator: ", ") }
        return try read(key, "is none of \(words()).", "Use one of these.") { T(rawValue: $0) }
    }

    /// What `read` makes of a value; nil where the field is not there.
    private func read<Value: FieldReadable, T>(
        _ key: Key,
        _ wrong: @autoclosure () -> String,
        _ remedy: @autoclosure () -> String,
        _ read: (Value) -> T?
    ) throws(Problem) -> T? {
        guard let field = self[key] else { return nil }
        if let value = try Value(field: field, at: path(of: key)).flatMap(read) { return value }
        throw .invalid(field: path(of: key), wrong(), remedy: remedy())
    }
}
