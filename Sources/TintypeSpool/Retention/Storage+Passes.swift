// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

extension Storage {
    private static let wholePass = Duration.seconds(3600)

    private static let mostTombstones = 50_000

    func beginRetention(
        isDry: Bool,
        confirm: Bool,
        isQuick: Bool,
        at reading: ClockReading
    ) throws(Problem) -> RetentionPass {
        let plan = retentionPlan
        var since: Timestamp?
        if isQuick, let last = maintenance.lastAges, reading.uptime - last.whole < Self.wholePass,
            last.now <= reading.wall
        {
            since = last.now
        }
        maintenance.unremovable.forgetOld(at: clock.now)
        let report = RetentionReport(spool: configuration.name, isDryRun: isDry)
        var pass = RetentionPass(plan: plan, now: reading.wall, since: since, report: report, countsPins: !isQuick)
        // A dry run shows the pictures that would be deleted after a confirmation.
        let isSupposed = isDry && confirm && reading.isSynchronized
        if !isSupposed {
            // Needed even without age rules: steps must be known if rules are added later, and tombstones expire by age
            // in any case.
            pass.report.withheld = try clockRefusal(at: reading, confirm: confirm && !isDry)
        }
        // A pass that may not check ages does not count as one.
        if pass.report.withheld != nil || plan.ages.isEmpty {
            if !isDry { maintenance.lastAges = nil }
        } else if !isDry {
            pass.uptime = reading.uptime
        }
        if plan.ages.isEmpty { pass.report.withheld = nil }
        return pass
    }

    func endRetention(_ pass: RetentionPass) throws(Problem) {
        // Under new rules, older pictures may be too old.
        if let uptime = pass.uptime, pass.plan == retentionPlan {
            maintenance.lastAges = (pass.now, pass.since == nil ? uptime : maintenance.lastAges?.whole ?? uptime)
        }
        // A wrong clock would expire tombstones too early.
        if isClockTrusted { _ = try catalog.forgetTombstones(before: Tombstone.oldest(at: clock.wall)) }
        try catalog.forgetTombstones(beyond: Self.mostTombstones)
        guard pass.report.frames > 0 else { return }
        logger.info(
            "Retention deleted pictures",
            metadata: ["count": "\(pass.report.frames)", "bytes": "\(pass.report.bytes)"]
        )
    }
}
