// SPDX-License-Identifier: Apache-2.0

extension Warmth: Codable {
    /// Reads the text that ``init(_:)`` reads.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let warmth = Warmth(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "“\(text)” is none of hot, cold and linger with a duration"
            )
        }
        self = warmth
    }

    /// Writes ``description``.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
