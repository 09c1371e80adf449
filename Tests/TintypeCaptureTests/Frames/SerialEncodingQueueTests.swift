// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeSystem

@testable import TintypeCapture

struct SerialEncodingQueueTests {
    /// Records running jobs and their order.
    private final class Watch: Sendable {
        private struct State {
            var running = 0
            var most = 0
            var order: [Int] = []
        }

        private let state = Mutex(State())
        var most: Int { state.withLock { $0.most } }
        var order: [Int] { state.withLock { $0.order } }

        func run(_ number: Int) {
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
                state.order.append(number)
            }
            for _ in 0..<20_000 { state.withLock { _ in } }
            state.withLock { $0.running -= 1 }
        }
    }

    @Test func `runs jobs one at a time in order`() async {
        let threads = WorkerThreads(name: "tt-line", count: 4) { EncodingThreads.Codecs(clock: TestClock()) }
        let (line, watch) = (SerialEncodingQueue(), Watch())
        for number in 0..<200 { line.submit({ _ in watch.run(number) }, to: threads) }
        #expect(await TestClock().reaches { watch.order.count == 200 })
        #expect(watch.order == Array(0..<200))
        #expect(watch.most == 1)
    }

    @Test func `queued jobs do not occupy other threads`() async {
        let threads = WorkerThreads(name: "tt-line", count: 2) { EncodingThreads.Codecs(clock: TestClock()) }
        let (line, gate, watch) = (SerialEncodingQueue(), Gate(), Watch())
        for number in 0..<5 {
            line.submit(
                { _ in
                    gate.wait()
                    watch.run(number)
                },
                to: threads
            )
        }
        // One thread runs the first job of the line; the other is free although four more jobs are queued.
        let other = Watch()
        threads.submit { _ in other.run(0) }
        #expect(await TestClock().reaches { other.order == [0] })
        #expect(watch.order.isEmpty)
        gate.open()
        #expect(await TestClock().reaches { watch.order.count == 5 })
    }
}

struct LeaseCountTests {
    @Test func `one buffer at a time is lent to the encoder`() {
        let leases = LeaseCount()
        #expect(leases.take())
        #expect(!leases.take())
        #expect(!leases.take())
        leases.giveBack()
        #expect(leases.take())
    }
}
