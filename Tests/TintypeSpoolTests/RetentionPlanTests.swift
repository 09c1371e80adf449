// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct RetentionPlanTests {
    @Test func `a camera's own age rules replace those of the spool`() throws {
        let plan = RetentionPlan(
            RetentionSettings(maxAge: day * 30, maxFrames: 1000, minFree: 5),
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

    @Test func `adapts the step size to the duration of the last step`() {
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

    @Test func `counts a new picture towards its limits with slack`() {
        let plan = RetentionPlan(
            RetentionSettings(maxFrames: 1000),
            cameras: ["yard": RetentionSettings(maxFrames: 10)]
        )
        let totals = ["door": FrameTotals(frames: 990), "yard": FrameTotals(frames: 10)]
        #expect(RetentionExcess(plan, totals: totals).isCovered)
        var excess = RetentionExcess(plan, totals: totals, adding: ["door": FrameTotals(frames: 1)], slack: true)
        #expect(excess.limits == "maxFrames 1000")
        for _ in 0..<10 { excess.take(FrameRow(0)) }
        #expect(!excess.isCovered)
        excess.take(FrameRow(0, camera: "yard"))
        #expect(excess.isCovered)
        let other = RetentionExcess(plan, totals: totals, adding: ["yard": FrameTotals(frames: 1)])
        #expect(other.limits == "maxFrames 1000, yard: maxFrames 10")
    }
}
