// SPDX-License-Identifier: Apache-2.0

/// Duration on the wire: a JSON number of milliseconds, rounded to the microsecond.
package struct Milliseconds: Hashable, Sendable, Codable {
    package var duration: Duration

    package init(_ duration: Duration) { self.duration = duration }

    /// Nil for a number that is not finite, or from 1e12.
    init?(number: Double) {
        guard number.isFinite, abs(number) < 1e12 else { return nil }
        duration = .microseconds(Int64((number * 1000).rounded()))
    }

    /// With at most three decimals.
    var number: Double { (duration.millisecondCount * 1000).rounded() / 1000 }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try container.decode(Double.self)
        guard let time = Milliseconds(number: value) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number of milliseconds")
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}
