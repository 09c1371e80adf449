// SPDX-License-Identifier: Apache-2.0

/// A value that goes over the wire as its text: what ``CustomStringConvertible/description`` writes, ``init(_:)`` reads.
///
/// Not for a `RawRepresentable` type: the compiler finds two ways to code one of these, and takes a third.
package protocol TextCodable: FieldReadable, Encodable, CustomStringConvertible {
    /// What to say of a text that is none, behind that text: `is not a rectangle such as 640x480+100+50`.
    static var refusal: String { get }

    /// Reads the text; nil if it is anything else.
    init?(_ text: String)
}

extension TextCodable {
    /// Reads the text form; throws `DecodingError` with the text and ``refusal``.
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
