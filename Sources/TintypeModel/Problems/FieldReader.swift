// SPDX-License-Identifier: Apache-2.0

/// Reader of the fields of a request or of the configuration; every error names its field and the remedy.
///
/// Without `faults` the first error is thrown as ``Problem`` with code `invalid-request`. With `faults` all errors are
/// passed to it, and a faulty field counts as absent: methods return nil for both.
package struct FieldReader<Key: CodingKey & CaseIterable> {
    private let object: FieldObject
    /// Path of the object, with list indices from 0; empty for the root.
    package var path: String { object.path }

    /// Opens an object with no keys other than the `known` ones; nil if `value` is not an object.
    package init?(
        _ value: FieldValue,
        at path: String,
        of known: [String] = Key.allCases.map(\.stringValue),
        collecting faults: ((FieldFault, _ path: String) -> Void)? = nil
    ) throws(Problem) {
        guard case .object(let fields) = value else {
            faults?(.notFields(known: known), path)
            return nil
        }
        object = FieldObject(fields: fields, path: path, faults: faults)
        for unknown in fields.keys.filter({ !known.contains($0) }).sorted() {
            try object.fail(.unknown(known: known), at: object.path(of: unknown))
        }
    }

    /// Reader of the fields of a body or query whose names have been checked.
    init(checked fields: [String: FieldValue]) { object = FieldObject(fields: fields, path: "", faults: nil) }
    private init(_ object: FieldObject) { self.object = object }
    package func fields<Other>(by keys: Other.Type) -> FieldReader<Other> { FieldReader<Other>(object) }
    package subscript(key: Key) -> FieldValue? { object.fields[key.stringValue] }
    package func path(of key: Key) -> String { object.path(of: key.stringValue) }

    package func refuse(_ key: Key, with others: Key...) throws(Problem) {
        for other in others where self[key] != nil && self[other] != nil {
            try object.fail(.conflict(other: other.stringValue), at: path(of: key))
        }
    }

    /// Reports an invalid value of the right type: "The field NAME WRONG".
    package func refuse(_ key: Key, _ wrong: String, remedy: String) throws(Problem) {
        try object.fail(.value(wrong, remedy: remedy), at: path(of: key))
    }

    package func integer(_ key: Key, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let isQuoted = if case .text(let text) = self[key] { Int(text) != nil } else { false }
        return try read(
            key,
            "is not a whole number from \(range.lowerBound) to \(range.upperBound).",
            remedy: isQuoted ? "Give such a number, without quotes." : "Give such a number."
        ) { (number: Int) in range.contains(number) ? number : nil }
    }

    func milliseconds(_ key: Key, in range: ClosedRange<Double>) throws(Problem) -> Duration? {
        try read(
            key,
            "is not a number of milliseconds from \(Int(range.lowerBound)) to \(Int(range.upperBound)).",
            remedy: "Give such a number."
        ) { (number: Double) in range.contains(number) ? .microseconds(Int64((number * 1000).rounded())) : nil }
    }

    /// Converts a value with `read`; nil if the field is absent.
    func read<Value: FieldReadable, T>(
        _ key: Key,
        _ wrong: @autoclosure () -> String,
        remedy: @autoclosure () -> String,
        _ read: (Value) -> T?
    ) throws(Problem) -> T? {
        try object.read(key.stringValue, wrong(), remedy(), read)
    }

    /// Converts a text, or with `takesNumber` a whole number as text; `nearest` corrects an invalid one.
    package func text<T>(
        _ key: Key,
        orNumber takesNumber: Bool = false,
        _ wrong: @autoclosure () -> String,
        remedy: @autoclosure () -> String,
        nearest: (String) -> String? = { _ in nil },
        _ read: (String) -> T?
    ) throws(Problem) -> T? {
        if takesNumber, let number = self[key].flatMap({ Int(field: $0, at: path(of: key)) }),
            let value = read("\(number)")
        {
            return value
        }
        return try object.read(
            key.stringValue,
            wrong(),
            remedy(),
            question: { Spelling.question(for: [$0], by: nearest) },
            read
        )
    }

    /// Reads any text that `accepts` allows; unquoted YAML scalars such as numbers or `yes` are refused.
    package func freeText(
        _ key: Key,
        _ wrong: String,
        remedy: String,
        where accepts: (String) -> Bool
    ) throws(Problem) -> String? {
        guard case .plain = self[key] else { return try text(key, wrong, remedy: remedy) { accepts($0) ? $0 : nil } }
        try object.fail(.type(wrong, remedy: "\(remedy) Put it in quotes if you mean this text."), at: path(of: key))
        return nil
    }

    /// Converts a list of texts, or a single text as a list of one; `nearest` corrects each.
    package func texts<T>(
        _ key: Key,
        _ wrong: @autoclosure () -> String,
        remedy: @autoclosure () -> String,
        nearest: (String) -> String? = { _ in nil },
        _ read: ([String]) -> T?
    ) throws(Problem) -> T? {
        guard let field = self[key] else { return nil }
        let path = path(of: key)
        let items: [FieldValue]
        switch field {
        case .list(let list): items = list
        case .text, .plain: items = [field]
        default:
            try object.fail(.type("is not a word or a list of them.", remedy: remedy()), at: path)
            return nil
        }
        let texts = items.compactMap { String(field: $0, at: path) }
        if texts.count == items.count, let value = read(texts) { return value }
        let question = Spelling.question(for: texts, by: nearest)
        try object.fail(.value(wrong(), remedy: question ?? remedy()), at: path)
        return nil
    }

    package func word<T: RawRepresentable & CaseIterable>(_ key: Key, _ type: T.Type) throws(Problem) -> T?
    where T.RawValue == String {
        let remedy = "Give one of them."
        return try text(key, "is not one of \(T.words).", remedy: remedy, nearest: T.nearest) { T(rawValue: $0) }
    }
}

/// Non-generic core shared by all readers.
private struct FieldObject {
    let fields: [String: FieldValue]
    let path: String
    let faults: ((FieldFault, _ path: String) -> Void)?
    func path(of name: String) -> String { FieldPath.joined(path, name) }

    func fail(_ fault: FieldFault, at path: String) throws(Problem) {
        guard let faults else { throw Problem(fault, at: path) }
        faults(fault, path)
    }

    func read<Value: FieldReadable, T>(
        _ name: String,
        _ wrong: @autoclosure () -> String,
        _ remedy: @autoclosure () -> String,
        question: (Value) -> String? = { _ in nil },
        _ read: (Value) -> T?
    ) throws(Problem) -> T? {
        guard let field = fields[name] else { return nil }
        let path = path(of: name)
        guard let value = try Value(field: field, at: path) else {
            try fail(.type(wrong(), remedy: remedy()), at: path)
            return nil
        }
        if let result = read(value) { return result }
        try fail(.value(wrong(), remedy: question(value) ?? remedy()), at: path)
        return nil
    }
}

package enum FieldFault: Hashable, Sendable {
    case unknown(known: [String])
    case notFields(known: [String])
    case conflict(other: String)
    /// Wrong type; the text continues a sentence, as in `is not a size.`.
    case type(String, remedy: String)
    /// Right type, invalid value; the text continues a sentence.
    case value(String, remedy: String)
}

/// Path of a field in its document: names and list indices, separated by dots.
package enum FieldPath {
    /// Path of the field `name` of the object at `path`; a name that contains a dot is quoted.
    package static func joined(_ path: String, _ name: String) -> String {
        let name = name.contains(".") ? "\"\(name)\"" : name
        return path.isEmpty ? name : "\(path).\(name)"
    }
}

extension Problem {
    init(_ fault: FieldFault, at field: String) {
        self =
            switch fault {
            case .unknown(let known): .unknown(field: field, known: known)
            case .notFields(let known):
                .invalid(field: field, "is not an object.", remedy: "Give fields: \(known.joined(separator: ", ")).")
            case .conflict(let other): .conflict(field: field, with: other)
            case .type(let wrong, let remedy), .value(let wrong, let remedy):
                .invalid(field: field, wrong, remedy: remedy)
            }
    }

    /// `invalid-request` with the detail "The field NAME WRONG".
    package static func invalid(field: String, _ wrong: String, remedy: String) -> Problem {
        Problem(.invalidRequest, "The field \(field) \(wrong)", remedy: remedy, field: field)
    }

    static func unknown(field: String, known: [String]) -> Problem {
        let name = field.split(separator: ".").last.map(String.init) ?? field
        let remedy = Spelling.remedy(for: name, among: known, otherwise: "Leave it out.")
        return .invalid(field: field, "is not known.", remedy: remedy)
    }

    static func conflict(field: String, with other: String) -> Problem {
        .invalid(field: field, "cannot be combined with \(other).", remedy: "Give one of the two.")
    }
}
