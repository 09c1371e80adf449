// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

struct TaskWakerTests {
    @Test func `a wake before the sleep ends it`() async {
        let waker = TaskWaker(clock: TestClock())
        waker.wake()
        await waker.sleep(until: nil)
    }

    @Test func `a sleep ends at its time, although an earlier alarm is kept`() async {
        let clock = TestClock()
        let waker = TaskWaker(clock: clock)
        let began = clock.now
        let (early, late) = (began + .seconds(1), began + .seconds(5))
        // Woken long before: the alarm stays.
        waker.wake()
        await waker.sleep(until: early)
        while clock.now < late { await waker.sleep(until: late) }
        #expect(clock.now >= late)
    }

    @Test func `an earlier time replaces a later alarm`() async {
        let clock = TestClock()
        let waker = TaskWaker(clock: clock)
        let began = clock.now
        waker.wake()
        await waker.sleep(until: began + .seconds(1_000_000))
        await waker.sleep(until: began + .seconds(1))
        #expect(clock.now < began + .seconds(1_000_000))
    }

    @Test func `cancelling the task ends its sleep`() async {
        let waker = TaskWaker(clock: TestClock())
        let task = Task { await waker.sleep(until: nil) }
        task.cancel()
        await task.value
    }
}
