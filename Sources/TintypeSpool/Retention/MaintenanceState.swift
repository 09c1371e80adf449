// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The memory of an open spool between two rounds of maintenance.
struct MaintenanceState {
    /// Tells this opening of the spool from all others.
    let opening = UInt64.random(in: .min ... .max)
    /// Files in `.incoming` that the opening removed.
    var leftovers = 0
    /// Whether folder and catalog have not been compared since the spool was opened.
    var needsReconcile = true
    /// What the end before has left, for the first comparison.
    var mark: CleanMark?
    /// What this opening leaves, and how much ``stayed`` when it came about; nil before folder and catalog were compared.
    var agreement: (mark: CleanMark, stayed: Int)?
    /// How often a file or row was left as it is that does not agree with the other.
    var stayed = 0
    /// The settings resolved into a plan; nil until the first use.
    var plan: RetentionPlan?
    /// The memory of the clock; nil until the first use.
    var clock: ClockMemory?
    /// When and at what uptime of the machine that was written down.
    var clockSaved: ClockMemory?
    /// When the last pass let go all that was too old, and at what uptime it looked at all pictures; nil before the first.
    var lastAges: (now: Timestamp, whole: Duration)?
    /// Whether this is a new catalog whose folder has not been gone through yet: older pictures may have no rows.
    var isRebuilding = false
    /// Pictures that could not be removed.
    var unremovable = UnremovableFiles()
    /// Whether deleting pictures makes room.
    var room = RoomWatch()
    /// Whether the file system was last found too full for retention to make room on it.
    var isHopeless = false
    /// The totals by camera, or more, where pictures were deleted since; nil until they are asked for.
    var totals: [String: FrameTotals]?
    /// Pictures that were admitted and may not have their row yet, since when, and what was there before them.
    var admitted: (totals: [String: FrameTotals], since: MonotonicTime, before: [String: FrameTotals])?

    /// Forgets what follows from the rules of retention: there are others, by which older pictures may go, too.
    mutating func forgetRules() {
        plan = nil
        lastAges = nil
        isHopeless = false
    }
}
