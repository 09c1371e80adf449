// SPDX-License-Identifier: Apache-2.0

/// What came out of the driver's queue when it was emptied.
package struct Drain: ~Copyable {
    /// The newest good buffer.
    package var newest: FrameLease?
    /// The newest buffer, where it is flagged or short; nil where a good one is newer.
    package var damaged: FrameLease?
    /// Buffers taken, good or not.
    package var taken = 0
    /// Buffers that the driver flagged as damaged.
    package var flagged = 0
    /// Buffers with fewer bytes than the format needs.
    package var short = 0
    /// Good buffers behind which a newer one waited.
    package var superseded = 0
    /// Frames that the driver left out, seen as gaps in `sequence`.
    package var gaps = 0
    /// Whether events wait too: only the test pattern, which has no POLLPRI, says it here.
    package var hasEvents = false

    /// Nothing came.
    package init() {}

    /// Counts a buffer that was taken as what it is, and keeps it in place of older ones.
    package mutating func take(_ lease: consuming FrameLease) {
        let faults = lease.stamp.faults
        if faults.isDisjoint(with: [.flagged, .short]) {
            if newest != nil { superseded += 1 }
            newest = consume lease
            damaged = nil
            return
        }
        if faults.contains(.flagged) { flagged += 1 } else { short += 1 }
        damaged = consume lease
    }
}
