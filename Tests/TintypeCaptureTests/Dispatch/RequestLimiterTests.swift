// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeCapture

struct RequestLimiterTests {
    private func wish() -> FrameCriteria {
        FrameCriteria(
            fresh: .request,
            options: EncodingOptions(ImageOptions(quality: 90), integrity: .strict),
            requestedAt: TestClock().now
        )
    }

    /// Adds clients until one is rejected or `count` wait.
    private func fill(_ dispatcher: FrameDispatcher, _ count: Int) -> (demands: [Client], refusal: Problem?) {
        var demands: [Client] = []
        while demands.count < count {
            let demand = Client(dispatcher, wish())
            if case .failure(let problem) = demand.answer { return (demands, problem) }
            demands.append(demand)
        }
        return (demands, nil)
    }

    @Test func `rejects the 1025th waiting client`() throws {
        let dispatcher = FrameDispatcher(clock: TestClock(), camera: "door")
        let (demands, refusal) = fill(dispatcher, 1100)
        #expect(demands.count == 1024 && dispatcher.limiter.taken == 1024)
        let problem = try #require(refusal)
        #expect(problem.code == .tooManyRequests && problem.code.status == 429)
        #expect(problem.detail.contains("1024") && problem.detail.contains("door"))
        #expect(problem.retryAfterMs != nil)
        #expect(demands.allSatisfy { $0.answer == nil })
    }

    @Test func `one client gets a quarter of the places`() throws {
        let room = RequestLimiter(for: "wait for the door", places: 8)
        var places: [RequestLimiter.Place] = []
        try RequestClient.$current.withValue("uid 7") {
            for _ in 0..<2 { places.append(try room.enter()) }
            let problem = #expect(throws: Problem.self) { _ = try room.enter() }
            #expect(problem?.code == .tooManyRequests)
            #expect(problem?.detail.contains("2 requests of this client") == true)
        }
        try RequestClient.$current.withValue("uid 8") { places.append(try room.enter()) }
        places.removeFirst()
        try RequestClient.$current.withValue("uid 7") { places.append(try room.enter()) }
        // The daemon itself is limited by the sum alone.
        for _ in 0..<5 { places.append(try room.enter()) }
        #expect(throws: Problem.self) { _ = try room.enter() }
        #expect(room.taken == 8)
        places = []
        #expect(room.taken == 0)
    }

    @Test func `a place is freed when the wait ends`() throws {
        let dispatcher = FrameDispatcher(clock: TestClock(), camera: "door", places: 3)
        var demands = fill(dispatcher, 9).demands
        #expect(demands.count == 3)
        demands.removeFirst().leave(isGone: true)
        #expect(dispatcher.limiter.taken == 2)
        demands += fill(dispatcher, 1).demands
        #expect(fill(dispatcher, 1).refusal != nil)
        let problem = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")
        dispatcher.change { $0.subscribers.fail(problem) }
        for demand in demands { demand.leave() }
        demands = []
        #expect(dispatcher.limiter.taken == 0)
        #expect(fill(dispatcher, 3).demands.count == 3)
    }
}
