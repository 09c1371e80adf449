// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeDevice

struct DriverCallsTests {
    private let clock = TestClock()

    @Test func `reports no stuck call while none runs`() {
        let calls = DriverCalls(clock: clock)
        #expect(calls.stuck(longerThan: .zero) == nil)
        #expect(calls.during(.open) { 3 } == 3)
        #expect(calls.stuck(longerThan: .zero) == nil)
    }

    @Test func `reports a stuck call with its name and time`() async {
        await DeviceStage.perform { [clock] in
            let calls = DriverCalls(clock: clock)
            let start = clock.now
            calls.during(.streamOn) {
                #expect(calls.stuck(longerThan: .milliseconds(5)) == nil)
                clock.block(for: .milliseconds(5))
                let stuck = calls.stuck(longerThan: .milliseconds(5))
                #expect(stuck?.name == "VIDIOC_STREAMON")
                #expect(stuck.map { $0.runningMs.duration > .milliseconds(5) } == true)
                let most = clock.now - start + .microseconds(1)
                #expect(stuck.map { $0.runningMs.duration <= most } == true)
                #expect(calls.stuck(longerThan: .seconds(3600)) == nil)
            }
        }
        #expect(DriverCalls.limit == .seconds(1) && DriverCalls.longestWait == .seconds(10))
    }

    @Test func `reports each returned call once with its duration`() async throws {
        let told = Mutex<[(DriverCalls.Call, Duration)]>([])
        let began = clock.now
        await DeviceStage.perform { [clock] in
            let calls = DriverCalls(clock: clock) { call, time in told.withLock { $0.append((call, time)) } }
            calls.during(.dequeue) { clock.block(for: .milliseconds(5)) }
            calls.during(.queue) {}
        }
        let whole = clock.now - began
        let all = told.withLock(\.self)
        try #require(all.map(\.0) == [.dequeue, .queue])
        #expect(all[0].1 >= .milliseconds(5) && all[0].1 <= whole && all[1].1 >= .zero && all[1].1 <= whole)
    }

    @Test func `schedules the next check for the earliest possible hang`() {
        let calls = DriverCalls(clock: clock)
        let margin = Duration.milliseconds(1)
        let began = clock.now
        let limit = DriverCalls.longestWait
        let idle = calls.nextHang(after: limit)
        #expect(idle >= began + limit && idle <= clock.now + limit + margin)
        calls.during(.open) {
            let start = clock.now
            let own = calls.nextHang(after: .milliseconds(800))
            let latest = max(start + .milliseconds(800), clock.now) + margin
            #expect(own >= began + .milliseconds(800) && own <= latest)
            // The call already counts as hanging.
            let now = clock.now
            #expect(calls.nextHang(after: .zero) >= now + margin)
        }
    }
}
