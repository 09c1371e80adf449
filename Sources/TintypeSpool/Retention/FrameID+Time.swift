// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension FrameID {
    /// The first moment whose ids all come behind this one.
    var followingMillisecond: Timestamp { Timestamp(microseconds: (millisecond + 1) * 1000) }

    /// The prefix that sorts before the ids of that moment and all later ones, and behind all earlier ones.
    static func bound(at time: Timestamp) -> String { bound(at: max(0, time.microseconds / 1000)) }

    /// The same for a millisecond since 1970: with what its ids begin; behind the last that there can be, what is greater
    /// than every id.
    static func bound(at millisecond: Int64) -> String {
        let digits = String(millisecond, radix: 16)
        guard digits.count <= 12 else { return "g" }
        let padded = String(repeating: "0", count: 12 - digits.count) + digits
        return "\(padded.prefix(8))-\(padded.dropFirst(8))"
    }
}
