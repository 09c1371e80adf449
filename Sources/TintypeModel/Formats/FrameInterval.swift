// SPDX-License-Identifier: Apache-2.0

/// Time between frames as a fraction of a second (`v4l2_fract`): 1/30 is 30 frames per second.
package struct FrameInterval: Hashable, Codable, WireObject, CustomStringConvertible {
    package var numerator: UInt32
    package var denominator: UInt32

    /// Nil if either is zero (drivers without a rate), and above one hour or below one millisecond (faulty drivers).
    package init?(numerator: UInt32, denominator: UInt32) {
        guard numerator > 0, denominator > 0 else { return nil }
        guard UInt64(numerator) <= 3600 * UInt64(denominator) else { return nil }
        guard UInt64(denominator) <= 1000 * UInt64(numerator) else { return nil }
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// A rate of 0 becomes 1.
    package init(framesPerSecond rate: UInt32) {
        numerator = 1
        denominator = max(1, rate)
    }

    /// Parses `30`, `29.97` or `30000/1001` frames per second; nil outside one per hour to 1000 per second.
    package init?(rate text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let frames = UInt32(parts[0]), let seconds = UInt32(parts[1]) {
            self.init(numerator: seconds, denominator: frames)
        } else if parts.count == 1, let whole = UInt32(text) {
            self.init(numerator: 1, denominator: whole)
        } else if parts.count == 1, let rate = Double(text), rate > 0, rate <= 1000 {
            self.init(numerator: 1000, denominator: UInt32((rate * 1000).rounded()))
        } else {
            return nil
        }
        guard rate <= 1000 else { return nil }
    }

    /// Frames per second.
    package var rate: Double { Double(denominator) / Double(numerator) }

    /// Truncated to nanoseconds.
    package var duration: Duration { .nanoseconds(Int64(numerator) * 1_000_000_000 / Int64(denominator)) }

    package static let summary = "The time from one frame to the next, as a fraction of a second."
    package static let fields: [Field] = [
        Field("numerator", \.numerator, "Seconds, times the denominator.", .positive),
        Field("denominator", \.denominator, "At least 1.", .positive),
    ]

    package var description: String {
        let hundredths = Int((rate * 100).rounded())
        guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction % 10 == 0 ? fraction / 10 : fraction)"
    }
}
