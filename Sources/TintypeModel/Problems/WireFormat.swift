// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials

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
