// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// One time that retention is applied: how far it has come.
///
/// It goes on in small steps, each on the storage thread, so that stills get their turn between them.
struct RetentionPass: Sendable {
    enum Phase: Hashable, Sendable {
        /// Pictures that are too old by the clause of this number, behind this one.
        case ages(clause: Int, after: FrameID?)
        /// Pictures that are too many, or whose room is needed, behind this one in the order in which they came.
        case limits(after: NumberedRow?)
        case done
    }

    let plan: RetentionPlan
    /// The moment from which ages are counted.
    let now: Timestamp
    /// When what was too old by then had gone; nil to look at all pictures.
    var since: Timestamp?
    /// The time since boot when it began; nil where it does not look at ages.
    var uptime: Duration?
    var phase = Phase.ages(clause: 0, after: nil)
    var excess: RetentionExcess?
    var report: RetentionReport
    /// Whether it is counted how many pictures stay since they are pinned: who lets go for a limit passes over them
    /// otherwise without looking at them.
    var countsPins = true
    /// How many pictures one step lets go.
    private(set) var batch = 16
    /// In a dry run, what would have gone already.
    private(set) var gone: Set<FrameID> = []
    /// In a dry run, the totals of that by camera.
    private(set) var goneTotals: [String: FrameTotals] = [:]

    /// The most pictures that one step of a dry run takes up.
    private static let dryBatch = 2000
    /// The longest that one step should take: a third of the time from one frame to the next at 30 a second.
    private static let step = Duration.milliseconds(11)

    /// Whether nothing is deleted.
    var isDry: Bool { report.isDryRun }
    var isDone: Bool { phase == .done }

    /// How many rows that fit one step takes up.
    var limit: Int { isDry ? Self.dryBatch : batch }

    /// Notes that these pictures have gone, or would, each by its rule; the step took `duration`.
    mutating func note(_ rows: [(row: FrameRow, rule: String)], took duration: Duration) {
        for (row, rule) in rows {
            report.frames += 1
            report.bytes += row.isLost ? 0 : row.bytes
            if report.victims.count < RetentionReport.mostVictims {
                report.victims.append(
                    RetentionReport.Victim(
                        id: row.id,
                        camera: row.camera,
                        capturedAt: row.capturedAt,
                        bytes: row.bytes,
                        rule: rule
                    )
                )
            }
            guard isDry else { continue }
            gone.insert(row.id)
            goneTotals[row.camera, default: FrameTotals()].frames += 1
            if row.isLost {
                goneTotals[row.camera]?.lost += 1
            } else {
                goneTotals[row.camera]?.bytes += row.bytes
            }
        }
        if duration > Self.step {
            batch = max(1, batch / 2)
        } else if rows.count == batch, duration < Self.step / 3 {
            batch = min(FrameDeletion.batch, batch * 2)
        }
    }
}
