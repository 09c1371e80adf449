// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

struct RateMeterTests {
    private static func moment(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(seconds * 1_000_000_000))
    }

    @Test(arguments: [0.5, 1, 10, 30, 240])
    func `measures a steady rate until the frames stop`(rate: Double) throws {
        var meter = RateMeter()
        #expect(meter.rate(at: Self.moment(0)) == nil)
        let end = max(3, 3 / rate)
        for index in 0...Int(end * rate) { meter.count(at: Self.moment(Double(index) / rate)) }
        let measured = try #require(meter.rate(at: Self.moment(end)))
        #expect(abs(measured - rate) / rate < 0.05)
        #expect(meter.rate(at: Self.moment(end + 2.9 * max(1, 1 / rate))) == measured)
        #expect(meter.rate(at: Self.moment(end + 4.1 * max(1, 1 / rate))) == 0)
    }
}
