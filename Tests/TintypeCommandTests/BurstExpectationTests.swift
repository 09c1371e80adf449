// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct BurstExpectationTests {
    /// What is shown: the fraction, if there is one, and the label.
    private func shown(
        _ burst: Burst?,
        average: Int = 1,
        interval: Duration? = .milliseconds(40),
        after milliseconds: Int
    ) -> String {
        let request = StillRequest(burst: burst, average: average)
        let state = BurstExpectation(request, interval: interval).state(after: .milliseconds(milliseconds))
        return (state.fraction.map { "\($0): " } ?? "") + state.label
    }

    @Test func `frames that follow on each other take an interval each, the first none`() {
        let burst = Burst.count(51, every: .zero)
        #expect(shown(burst, after: 0) == "0.0: 0 ms of at least 2 s")
        #expect(shown(burst, after: 500) == "0.25: 500 ms of at least 2 s")
        // They are late; a bar goes no further than its end.
        #expect(shown(burst, after: 3000) == "1.5: 3 s of at least 2 s")
        // Each of them is made of ten.
        #expect(shown(.count(5, every: .zero), average: 10, after: 980) == "0.5: 980 ms of at least 2 s")
    }

    @Test func `where the interval is not known, or there is nothing to expect, only the time is told`() {
        for (burst, interval) in [
            (Burst.count(50, every: .zero), nil), (.count(1, every: .zero), .milliseconds(40)),
            (.span(from: .seconds(-2), to: .zero, nth: 1), .milliseconds(40)), (nil, .milliseconds(40)),
        ] as [(Burst?, Duration?)] {
            #expect(shown(burst, interval: interval, after: 1500) == "1.5 s")
        }
    }

    @Test func `with a time between them it is told how many are due, of a span how much has passed`() {
        let burst = Burst.count(4, every: .seconds(2))
        #expect(shown(burst, after: 0) == "0.25: 1/4 due")
        #expect(shown(burst, after: 4100) == "0.75: 3/4 due")
        #expect(shown(burst, after: 60_000) == "1.0: 4/4 due")
        let span = Burst.span(from: .seconds(-1), to: .seconds(4), nth: 3)
        #expect(shown(span, after: 1000) == "0.25: 1 s")
    }
}
