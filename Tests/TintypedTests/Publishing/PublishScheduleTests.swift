// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

struct PublishScheduleTests {
    @Test func `what a schedule says of its pictures is asked of each frame`() {
        var schedule = PublishSchedule(rate: .nth(1))
        schedule.settle = .never
        schedule.integrity = .tolerant
        schedule.reject = [.black, .frozen]
        schedule.width = 640
        schedule.durability = .data
        schedule.tags = ["night"]
        let request = StillRequest(
            deadline: .seconds(3),
            settle: .never,
            integrity: .tolerant,
            reject: [.black, .frozen],
            rendering: StillRendering(width: 640),
            durability: .data,
            tags: ["night"]
        )
        #expect(schedule.request(within: .seconds(3)) == request)
    }
}
