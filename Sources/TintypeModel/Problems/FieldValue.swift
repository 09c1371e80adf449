// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A value of a request or of the configuration, in any form: JSON, a query or YAML.
package enum FieldValue: Hashable, Sendable {
    case number(Double)
    case flag(Bool)
    case text(String)
    /// A value of YAML without quotes that YAML does not take for a text, such as `0660`, `12:00` or `yes`: the field
    /// says what it means.
    case plain(String)
    case list([FieldValue])
    case object([String: FieldValue])
    /// What the contract has no use for: `null`, a number that no `Double` holds, and what is behind the end of a
    /// ``Budget``.
    case unusable

    /// How much is read of one body, as many values or as deep: more than any request has.
    ///
    /// A decoder tells what a value is only by failing to read it as anything else, the slower the deeper the value
    /// stands: a body of the largest size could take seconds.
    final class Budget: Sendable {
        private static let key = CodingUserInfoKey(rawValue: "budget")
        private let left = Atomic(80_000)

        /// Adds one to what a decoder is told.
        static func add(to info: inout [CodingUserInfoKey: any Sendable]) {
            if let key { info[key] = Budget() }
        }

        /// Whether a decoder may read one value more.
        fileprivate static func allows(_ decoder: any Decoder) -> Bool {
            guard let key, let budget = decoder.userInfo[key] as? Budget else { return true }
            // Not asked for its place any more, which alone takes long far down.
            guard budget.left.load(ordering: .relaxed) > 0 else { return false }
            budget.left.subtract(1 + decoder.codingPath.count, ordering: .relaxed)
            return true
        }
    }
}

extension FieldValue: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if !Budget.allows(decoder) || container.decodeNil() {
            self = .unusable
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let fields = try? container.decode([String: FieldValue].self) {
            self = .object(fields)
        } else if let items = try? container.decode([FieldValue].self) {
            self = .list(items)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else {
            self = .unusable
        }
    }
}

/// What is read from a ``FieldValue``, with errors that name the field.
package protocol FieldReadable: Decodable {
    /// Reads `value`, which stands at `path`: names and, in lists, numbers from 0, with dots
    /// between; nil where it is of another type.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the field that is wrong in it.
    init?(field value: FieldValue, at path: String) throws(Problem)
}

/// What is read from an object with fields of these names.
package protocol FieldsReadable: FieldReadable {
    /// The names of the fields on the wire.
    associatedtype CodingKeys: CodingKey & CaseIterable

    /// Reads the fields; throws ``Problem`` with code `invalid-request` that names the field that is wrong.
    init(in fields: FieldReader<CodingKeys>) throws(Problem)
}

extension FieldsReadable {
    package init?(field value: FieldValue, at path: String) throws(Problem) {
        guard let fields = try FieldReader<CodingKeys>(value, at: path) else { return nil }
        try self.init(in: fields)
    }
}

extension FieldReadable {
    /// Reads it out of any decoder; throws as ``init(field:at:)`` does.
    package init(from decoder: any Decoder) throws {
        let path = decoder.codingPath.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }
        guard let value = try Self(field: FieldValue(from: decoder), at: path.joined(separator: ".")) else {
            throw DecodingError.typeMismatch(Self.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
        }
        self = value
    }
}

extension FieldReadable {
    /// Reads the fields of a query, which stand for the object of a body.
    init(fields: [String: FieldValue]) throws(Problem) {
        guard let value = try Self(field: .object(fields), at: "") else {
            preconditionFailure("\(Self.self) is not read from an object")
        }
        self = value
    }
}

extension Bool: FieldReadable {
    package init?(field value: FieldValue, at path: String) {
        switch value {
        case .flag(let flag): self = flag
        case .plain("true"): self = true
        case .plain("false"): self = false
        default: return nil
        }
    }
}

extension String: FieldReadable {
    package init?(field value: FieldValue, at path: String) {
        switch value {
        case .text(let text), .plain(let text): self = text
        default: return nil
        }
    }
}

extension Double: FieldReadable {
    package init?(field value: FieldValue, at path: String) {
        switch value {
        case .number(let number): self = number
        case .plain(let text):
            guard let number = Double(text), number.isFinite else { return nil }
            self = number
        default: return nil
        }
    }
}

extension Int: FieldReadable {
    package init?(field value: FieldValue, at path: String) {
        switch value {
        case .number(let number): self.init(exactly: number)
        case .plain(let text): self.init(text)
        default: return nil
        }
    }
}

extension Array: FieldReadable where Element: FieldReadable {
    package init?(field value: FieldValue, at path: String) throws(Problem) {
        guard case .list(let items) = value else { return nil }
        self = []
        for (index, item) in items.enumerated() {
            guard let element = try Element(field: item, at: "\(path).\(index)") else { return nil }
            append(element)
        }
    }
}
