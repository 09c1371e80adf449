// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// In-memory state of an open spool between two rounds of maintenance.
struct MaintenanceState {
    let opening = UInt64.random(in: .min ... .max)
    /// Number of files removed from `.incoming` at the opening.
    var leftovers = 0
    /// True until folder and catalog have been compared in this opening.
    var needsReconcile = true
    /// Mark of the last clean shutdown, for the first comparison.
    var mark: CleanMark?
    /// Mark to leave at a clean shutdown, and ``stayed`` at its comparison; nil before the comparison.
    var agreement: (mark: CleanMark, stayed: Int)?
    /// Number of times a disagreement between file and row was left unresolved.
    var stayed = 0
    /// Nil until the first use.
    var plan: RetentionPlan?
    /// Nil until the first use.
    var clock: ClockMemory?
    var clockSaved: ClockMemory?
    /// Time of the last complete pass by age, and uptime of the last one over all pictures; nil before the first.
    var lastAges: (now: Timestamp, whole: Duration)?
    /// True if the catalog is new and not yet filled from the folder: older pictures may have no rows.
    var isRebuilding = false
    var unremovable = UnremovableFiles()
    var room = RoomWatch()
    /// True if the file system was last too full for retention to free enough space.
    var isHopeless = false
    /// Cached totals by camera, an upper bound after deletions; nil until needed.
    var totals: [String: FrameTotals]?
    /// Totals of admitted pictures that may not have a row yet, the time of admission, and the totals before them.
    var admitted: (totals: [String: FrameTotals], since: MonotonicTime, before: [String: FrameTotals])?

    /// Discards state derived from the retention rules, since new rules may affect older pictures.
    mutating func forgetRules() {
        plan = nil
        lastAges = nil
        isHopeless = false
    }
}
