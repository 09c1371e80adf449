// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypeThreads

@testable import TintypeCapture
@testable import TintypeFrames

struct WaitingRoomTests {
    private func wish() -> FrameWish {
        FrameWish(
            fresh: .request,
            rendition: Rendition(StillRendering(quality: 90), integrity: .strict),
            requestedAt: TestClock().now
        )
    }

    /// Asks until one is refused, or `count` wait.
    private func fill(_ hub: FrameHub, _ count: Int) -> (demands: [Client], refusal: Problem?) {
        var demands: [Client] = []
        while demands.count < count {
            let demand = Client(hub, wish())
            if case .failure(let problem) = demand.answer { return (demands, problem) }
            demands.append(demand)
        }
        return (demands, nil)
    }

    @Test func `a camera has 256 places, and a client that comes then is refused with the bound`() throws {
        let room = WaitingRoom(of: "door", within: WaitingRoom())
        let hub = FrameHub(room: room, clock: TestClock())
        let (demands, refusal) = fill(hub, 300)
        #expect(demands.count == 256 && room.taken == 256)
        let problem = try #require(refusal)
        #expect(problem.code == .tooManyRequests && problem.code.status == 429)
        #expect(problem.detail.contains("256") && problem.detail.contains("door"))
        #expect(problem.retryAfterMs != nil)
        #expect(demands.allSatisfy { $0.answer == nil })
    }

    @Test func `places are free again for the next client, however a wait ended`() throws {
        let room = WaitingRoom(of: "door", places: 3, within: WaitingRoom())
        let hub = FrameHub(room: room, clock: TestClock())
        var demands = fill(hub, 9).demands
        #expect(demands.count == 3)
        demands.removeFirst().leave(isGone: true)
        #expect(room.taken == 2)
        demands += fill(hub, 1).demands
        #expect(fill(hub, 1).refusal != nil)
        hub.fail(Problem(.deviceLost, "It is gone.", remedy: "Plug it in."))
        for demand in demands { demand.leave() }
        demands = []
        #expect(room.taken == 0)
        #expect(fill(hub, 3).demands.count == 3)
    }

    @Test func `a client that is refused waits for nothing and leaves nothing`() {
        let room = WaitingRoom(of: "door", places: 1, within: WaitingRoom())
        let hub = FrameHub(room: room, clock: TestClock())
        let first = Client(hub, wish())
        let second = Client(hub, wish())
        #expect(second.leave() == [:])
        #expect(room.taken == 1 && hub.isAwaited)
        first.leave()
        #expect(!hub.isInDemand)
    }

    @Test func `all cameras have 1024 places, beyond the first 16 of each`() throws {
        let whole = WaitingRoom()
        let hubs = (0..<6).map { FrameHub(room: WaitingRoom(of: "camera\($0)", within: whole), clock: TestClock()) }
        var demands: [Client] = []
        // Four cameras that give nothing, full.
        for hub in hubs[0..<4] { demands += fill(hub, 256).demands }
        #expect(demands.count == 1024 && whole.taken == 4 * 240)
        let fifth = fill(hubs[4], 256)
        #expect(fifth.demands.count == 16 + 64 && whole.taken == 1024)
        let problem = try #require(fifth.refusal)
        #expect(problem.code == .tooManyRequests && problem.detail.contains("1024"))
        // They keep no place from a camera that has its own.
        let sixth = fill(hubs[5], 256)
        #expect(sixth.demands.count == 16 && hubs[5].room.taken == 16)
        #expect((demands + fifth.demands).allSatisfy { $0.answer == nil })
    }

    @Test func `in whichever order clients leave, a camera has as many places as before`() {
        let whole = WaitingRoom(places: 4)
        let hub = FrameHub(room: WaitingRoom(of: "door", within: whole), clock: TestClock())
        var demands = fill(hub, 256).demands
        #expect(demands.count == 20 && whole.taken == 4)
        // The first who came had the camera's own places.
        for demand in demands.prefix(10) { demand.leave() }
        demands.removeFirst(10)
        #expect(whole.taken == 0)
        demands += fill(hub, 256).demands
        #expect(demands.count == 20 && whole.taken == 4)
    }

    @Test func `a room that is emptied has all its places again`() {
        let whole = WaitingRoom(places: 4)
        let hub = FrameHub(room: WaitingRoom(of: "door", within: whole), clock: TestClock())
        for _ in 0..<3 {
            let demands = fill(hub, 256).demands
            #expect(demands.count == 20)
            for demand in demands { demand.leave() }
        }
        #expect(whole.taken == 0 && hub.room.taken == 0)
    }
}
