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

    /// Decodes `json`.
    ///
    /// Throws ``Problem`` with code `invalid-request` for invalid JSON or a value of another type.
    package static func decode<T: Decodable>(_ type: T.Type, from json: some Sequence<UInt8>) throws(Problem) -> T {
        do {
            let decoder = JSONDecoder()
            FieldValue.Budget.add(to: &decoder.userInfo)
            return try decoder.decode(type, from: Data(json))
        } catch let problem as Problem {
            throw problem
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw Problem(
                .invalidRequest,
                "The body is not valid JSON.",
                remedy: "Send a JSON object, such as {}, with Content-Type: application/json."
            )
        } catch let error as DecodingError {
            let field = error.codingPath.map(\.stringValue).joined(separator: ".")
            throw Problem(
                .invalidRequest,
                field.isEmpty ? "The body is not a JSON object." : "The field \(field) is missing or of a wrong type.",
                remedy: "See the contract at /openapi.json.",
                field: field.isEmpty ? nil : field
            )
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
