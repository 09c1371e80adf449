// SPDX-License-Identifier: Apache-2.0

/// Duration on the wire: a JSON number of milliseconds, rounded to the microsecond.
package struct Milliseconds: Hashable, Sendable, Codable {
    package var duration: Duration

    package init(_ duration: Duration) { self.duration = duration }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try container.decode(Double.self)
        guard value.isFinite, abs(value) < 1e12 else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(value) is not a number of milliseconds"
            )
        }
        duration = .microseconds(Int64((value * 1000).rounded()))
    }

    /// Encodes a JSON number with at most three decimals.
    package func encode(to encoder: any Encoder) throws {
        try ((duration.millisecondCount * 1000).rounded() / 1000).encode(to: encoder)
    }
}
