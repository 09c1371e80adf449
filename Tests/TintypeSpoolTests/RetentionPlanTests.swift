// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct RetentionPlanTests {
    private let days = { (count: Int) in Duration.seconds(count * 86_400) }

    private func rule(_ days: Int, _ filter: String) throws -> RetentionRule {
        RetentionRule(keep: self.days(days), filter: try FrameFilter(parsing: filter))
    }

    @Test func `settings without anything let nothing go`() {
        #expect(RetentionPlan(RetentionSettings(), cameras: ["door": RetentionSettings()]).isEmpty)
    }

    @Test func `of several rules that fit the longest counts, and what none fits has the age for all others`() throws {
        let settings = RetentionSettings(
            rules: [try rule(30, "verdict:intact"), try rule(365, "tag:alarm")],
            maxAge: days(7)
        )
        let plan = RetentionPlan(settings, cameras: [:])
        #expect(plan.ages.map(\.rule) == ["keep 1y where tag:alarm", "keep 30d where verdict:intact", "maxAge 7d"])
        #expect(plan.ages.map(\.keep) == [days(365), days(30), days(7)])
        #expect(plan.ages[0].filter == .is(.tag("alarm")))
        #expect(plan.ages[1].filter == .all([.is(.verdict(.intact)), .not(.any([.is(.tag("alarm"))]))]))
        #expect(plan.ages[2].filter == .not(.any([.is(.tag("alarm")), .is(.verdict(.intact))])))
    }

    @Test func `a camera with rules of its own is left out of the spool's, and limits hold for both`() throws {
        let plan = RetentionPlan(
            RetentionSettings(maxAge: days(30), maxFrames: 1000, minFree: 5),
            cameras: [
                "door": RetentionSettings(rules: [try rule(365, "tag:alarm")]),
                "yard": RetentionSettings(maxBytes: 1 << 30),
            ]
        )
        #expect(plan.ages.map(\.rule) == ["maxAge 30d", "door: keep 1y where tag:alarm"])
        #expect(plan.ages[0].filter == .not(.any([.is(.camera("door"))])))
        #expect(plan.ages[1].filter == .all([.is(.camera("door")), .is(.tag("alarm"))]))
        #expect(plan.caps.map(\.camera) == [nil, "yard"])
        #expect(plan.minFree == 5)
    }

    @Test func `a step that takes long is followed by smaller ones, and a short one by larger ones up to a bound`() {
        let plan = RetentionPlan(RetentionSettings(maxFrames: 1), cameras: [:])
        var pass = RetentionPass(plan: plan, now: noon, report: RetentionReport(spool: "default", isDryRun: false))
        let rows = (0..<200).map { (row: FrameRow($0), rule: "maxFrames 1") }
        func note(_ duration: Duration) { pass.note(Array(rows.prefix(pass.limit)), took: duration) }
        #expect(pass.limit == 16)
        note(.milliseconds(20))
        #expect(pass.limit == 8)
        // Neither long nor short.
        note(.milliseconds(8))
        #expect(pass.limit == 8)
        for _ in 0..<10 { note(.seconds(1)) }
        #expect(pass.limit == 1)
        for _ in 0..<10 { note(.microseconds(100)) }
        #expect(pass.limit == FrameDeletion.batch)
    }

    @Test func `an excess is counted down until it is covered, each picture by the limit that it helps`() {
        let plan = RetentionPlan(
            RetentionSettings(maxFrames: 5),
            cameras: ["yard": RetentionSettings(maxBytes: 1 << 20)]
        )
        let totals = [
            "door": FrameTotals(frames: 5, bytes: 500, lost: 1), "yard": FrameTotals(frames: 2, bytes: (1 << 20) + 100),
        ]
        var excess = RetentionExcess(plan, totals: totals)
        #expect(excess.limits == "maxFrames 5, yard: maxBytes 1M")
        #expect(excess.cameras == nil)
        #expect(excess.rule(for: "door") == "maxFrames 5")
        excess.take("door", bytes: 100)
        #expect(excess.rule(for: "door") == nil)
        #expect(excess.cameras == ["yard"])
        #expect(excess.rule(for: "yard") == "yard: maxBytes 1M")
        excess.take("yard", bytes: 99)
        #expect(!excess.isCovered)
        excess.take("yard", bytes: 1)
        #expect(excess.isCovered && excess.rule(for: "yard") == nil)
    }

    @Test func `what comes counts, for the limits that it is subject to, and a little more goes than must`() {
        let plan = RetentionPlan(
            RetentionSettings(maxFrames: 1000),
            cameras: ["yard": RetentionSettings(maxFrames: 10)]
        )
        let totals = ["door": FrameTotals(frames: 990), "yard": FrameTotals(frames: 10)]
        #expect(RetentionExcess(plan, totals: totals).isCovered)
        var excess = RetentionExcess(plan, totals: totals, adding: ["door": FrameTotals(frames: 1)], slack: true)
        #expect(excess.limits == "maxFrames 1000")
        for _ in 0..<10 { excess.take("door", bytes: 1) }
        #expect(!excess.isCovered)
        excess.take("yard", bytes: 1)
        #expect(excess.isCovered)
        #expect(
            RetentionExcess(plan, totals: totals, adding: ["yard": FrameTotals(frames: 1)]).limits
                == "maxFrames 1000, yard: maxFrames 10"
        )
    }

    @Test func `free space is counted in the blocks that files take`() {
        var excess = RetentionExcess(RetentionPlan(RetentionSettings(), cameras: [:]), totals: [:], free: 8193)
        #expect(excess.limits == "minFree" && excess.rule(for: "door") == "minFree")
        excess.take("door", bytes: 1)
        excess.take("door", bytes: 4096)
        #expect(!excess.isCovered)
        excess.take("door", bytes: 10)
        #expect(excess.isCovered)
    }
}
