// SPDX-License-Identifier: Apache-2.0

/// Guarantee for a stored still when the reply is sent.
package enum Durability: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Written under its final name, not flushed: survives the end of the daemon, not a power failure.
    case none
    /// Data is flushed (fdatasync(2)), the name may not be: after a power failure the file may be missing, but never
    /// torn.
    case data
    /// Data, name and catalog row are flushed: survives a power failure.
    case full
}

package enum Integrity: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// No detectable fault but one that is repaired and normal for this camera: JPEG data is decoded, and any warning
    /// counts as damage.
    case strict
    /// Valid segments and an end; faults that are normal for this camera are accepted.
    case tolerant
    /// As delivered by the driver; faults are only reported.
    case raw
}

/// Policy for waiting until exposure and white balance have settled after a stream start.
package enum SettlePolicy: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Waits up to the camera's settling limit, or until the deadline leaves just time for a frame; then takes the
    /// still anyway and marks it as unsettled.
    case auto
    /// Waits until the deadline and then fails.
    case always
    case never
}

package enum Burst: Hashable, Sendable {
    /// A number of stills at intervals of `every`; 0 takes consecutive frames.
    case count(Int, every: Duration)
    /// Every `nth` frame of a time span relative to the request; negative times are taken from the ring.
    case span(from: Duration, to: Duration, nth: Int)

    package static let countRange = 1...1000
    package static let everyMsRange: ClosedRange<Double> = 0...3_600_000
    package static let spanMsRange: ClosedRange<Double> = -3_600_000...3_600_000
    package static let nthRange = 1...1000
}

extension StillRequest {
    /// The ``deadline``, for a burst added to the time until its last still is due: for consecutive frames, when the
    /// previous one has been taken.
    package var longestDuration: Duration {
        switch burst {
        case nil: deadline
        case .count(let count, .zero): deadline * count
        case .count(let count, let every): every * (count - 1) + deadline
        case .span(_, let end, _): max(.zero, end) + deadline
        }
    }
}
