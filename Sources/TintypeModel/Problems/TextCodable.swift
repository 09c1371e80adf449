// SPDX-License-Identifier: Apache-2.0

/// Value with a text form on the wire: `description` is encoded, ``init(_:)`` decodes.
///
/// Not for `RawRepresentable` types: with two candidate `Codable` implementations the compiler picks a third.
package protocol TextCodable: FieldReadable, Encodable, CustomStringConvertible {
    /// Message after an invalid text, as in `is not a rectangle such as 640x480+100+50`.
    static var refusal: String { get }

    init?(_ text: String)
}

extension TextCodable {
    /// Decodes the text form; throws `DecodingError` with the text and ``refusal``.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” \(Self.refusal)")
        }
        self = value
    }

    package init?(field value: FieldValue, at path: String) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
