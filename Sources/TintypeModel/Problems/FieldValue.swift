// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Synchronization

/// Untyped value of a request or of the configuration, from JSON, a query or YAML.
package enum FieldValue: Hashable, Sendable, Decodable {
    case number(Double)
    case flag(Bool)
    case text(String)
    /// Unquoted YAML scalar that YAML does not resolve to a string, such as `0660`, `12:00` or `yes`; interpreted by
    /// its field.
    case plain(String)
    case list([FieldValue])
    case object([String: FieldValue])
    /// Value without use in the API: `null`, a number out of range for `Double`, or one beyond the ``Budget``.
    case unusable

    /// Limit for decoding one body, counted in values and their depth; higher than any valid request.
    ///
    /// `Decoder` finds the type of a value by trial and error, at a cost that grows with the depth. Without a limit, a
    /// body of the maximum size could take seconds.
    final class Budget: Sendable {
        private static let key = CodingUserInfoKey(rawValue: "budget")
        private let left = Atomic(80_000)

        static func add(to info: inout [CodingUserInfoKey: any Sendable]) {
            if let key { info[key] = Budget() }
        }

        /// Charges one value; false if the budget is used up.
        fileprivate static func allows(_ decoder: any Decoder) -> Bool {
            guard let key, let budget = decoder.userInfo[key] as? Budget else { return true }
            // Checked first: `codingPath` alone is slow for deeply nested values.
            guard budget.left.load(ordering: .relaxed) > 0 else { return false }
            budget.left.subtract(1 + decoder.codingPath.count, ordering: .relaxed)
            return true
        }
    }

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

extension FieldValue {
    var words: [String] {
        switch self {
        case .text(let text), .plain(let text): [text]
        case .list(let items): items.flatMap(\.words)
        default: []
        }
    }
}

package protocol FieldReadable: Decodable {
    /// Nil for a value of another type; throws `invalid-request` with the faulty field, list indices from 0.
    init?(field value: FieldValue, at path: String) throws(Problem)
}

extension FieldReadable {
    package init(from decoder: any Decoder) throws {
        let path = decoder.codingPath.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }
        guard let value = try Self(field: FieldValue(from: decoder), at: path.joined(separator: ".")) else {
            throw DecodingError.typeMismatch(Self.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
        }
        self = value
    }
}

extension Bool: FieldReadable {
    package init?(field value: FieldValue, at path: String) {
        switch value {
        case .flag(let flag): self = flag
        case .plain(let text): self.init(text)
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

/// JSON format of the API, shared by the daemon, its client and the tests.
package enum WireFormat {
    /// UTF-8 JSON with sorted keys; indented if `pretty`.
    package static func encode(_ value: some Encodable, pretty: Bool = false) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return [UInt8](try encoder.encode(value))
    }

    /// Throws `invalid-request` for invalid JSON or a value of another type.
    package static func decode<T: Decodable>(_ type: T.Type, from json: some Sequence<UInt8>) throws(Problem) -> T {
        do {
            let decoder = JSONDecoder()
            FieldValue.Budget.add(to: &decoder.userInfo)
            return try decoder.decode(type, from: Data(json))
        } catch let problem as Problem {
            throw problem
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            let remedy = "Send a JSON object, such as {}, with Content-Type: application/json."
            throw Problem(.invalidRequest, "The body is not valid JSON.", remedy: remedy)
        } catch let error as DecodingError {
            let field = error.codingPath.map(\.stringValue).joined(separator: ".")
            let remedy = "See the contract at /openapi.json."
            if field.isEmpty { throw Problem(.invalidRequest, "The body is not a JSON object.", remedy: remedy) }
            throw Problem.invalid(field: field, "is missing or of a wrong type.", remedy: remedy)
        } catch {
            throw Problem(.invalidRequest, "The body cannot be read.", remedy: "Send a JSON object, such as {}.")
        }
    }
}

extension DecodingError {
    fileprivate var codingPath: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        case .keyNotFound(let key, let context): context.codingPath + [key]
        @unknown default: []
        }
    }
}

/// Value with a text form on the wire: `description` is encoded, ``init(_:)`` decodes.
///
/// Not for `RawRepresentable` types: with two candidate `Codable` implementations the compiler picks a third.
package protocol TextCodable: FieldReadable, Encodable, LosslessStringConvertible {}

extension TextCodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a \(Self.self)")
        }
        self = value
    }

    package init?(field value: FieldValue, at path: String) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
