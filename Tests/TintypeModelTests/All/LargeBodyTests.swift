// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeModel

struct LargeBodyTests {
    /// Without an end to what is read of it, the worst of these takes 20 s.
    @Test(arguments: ["1", "true", "{}", "[]", "null", #"{"a":1}"#], [0, 70, 275])
    func `a body of the largest size takes less than 3 s of a processor, whatever is in it`(
        _ item: String,
        _ depth: Int
    ) {
        let body = WireFormatTests.largest(of: item, depth)
        let began = Self.processorTime
        _ = #expect(throws: Problem.self) { try WireFormat.decode(StillRequest.self, from: body) }
        #expect(Self.processorTime - began < .seconds(3))
    }

    /// That of this thread, so that other tests do not count.
    private static var processorTime: Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
