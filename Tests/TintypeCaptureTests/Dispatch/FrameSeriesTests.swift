// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

/// Averages of several frames, as requested from the dispatcher.
struct FrameSeriesTests: NumberedFrames {
    let start = TestClock().now
    private let dispatcher = FrameDispatcher(clock: TestClock())

    private func demand(_ count: Int, quality: Int = 80) -> Client {
        let options = EncodingOptions(ImageOptions(quality: quality), integrity: .strict, average: count)
        return Client(dispatcher, FrameCriteria(fresh: .request, options: options, requestedAt: start))
    }

    private func offer(_ ordinal: UInt64, stream: UInt64 = 1) -> [EncodingOptions] {
        dispatcher.offer(stamp(ordinal, stream: stream), isNew: true)
    }

    @Test func `averages consecutive frames under the first frame's stamp`() throws {
        let demand = demand(3)
        var parts: [EncodingOptions] = []
        for ordinal: UInt64 in 1...5 {
            let wanted = offer(ordinal)
            // The driver dropped the second frame; the series skips it.
            #expect(wanted.count == (ordinal <= 3 ? 1 : 0))
            parts += wanted
        }
        #expect(Set(parts.map(\.part)).count == 1 && parts[0].part != nil)
        dispatcher.finish(key(1), parts[0], .success(image(1, [])))
        // Encodes finish in any order.
        dispatcher.finish(key(3), parts[2], .success(image(3, [])))
        #expect(demand.answer == nil && dispatcher.need.isInDemand)
        dispatcher.finish(key(2), parts[1], .success(image(2, [7])))
        let made = try #require(try demand.answer?.get())
        #expect(made.stamp == stamp(1) && made.key == key(1) && made.jpeg == [7])
        #expect(dispatcher.published.snapshot.counters.encoded == 1)
        #expect(!dispatcher.need.isInDemand)
    }

    @Test func `requests share a series if count and options match`() throws {
        let same = [demand(2), demand(2)]
        let other = demand(2, quality: 50)
        let more = demand(3)
        let first = offer(1)
        #expect(first.count == 3)
        let second = offer(2)
        #expect(second.count == 3)
        let third = offer(3)
        #expect(third.map(\.average) == [3])
        for part in first { dispatcher.finish(key(1), part, .success(image(1, []))) }
        for part in second {
            dispatcher.finish(key(2), part, .success(image(2, part.average == 2 ? [UInt8(part.quality)] : [])))
        }
        #expect(try same.map { try $0.answer?.get().jpeg } == [[80], [80]])
        #expect(try other.answer?.get().jpeg == [50])
        #expect(more.answer == nil)
    }

    @Test func `a damaged frame of a series is replaced by the next`() throws {
        let demand = demand(2)
        let (first, second) = (offer(1), offer(2))
        #expect(offer(3).isEmpty)
        #expect(dispatcher.finish(key(2), second[0], .failure(.truncated)))
        let fourth = offer(4)
        #expect(fourth.count == 1)
        dispatcher.finish(key(1), first[0], .success(image(1, [])))
        dispatcher.finish(key(4), fourth[0], .success(image(4, [9])))
        #expect(try demand.answer?.get().jpeg == [9])
        #expect(dispatcher.published.snapshot.counters.corrupt == 1)
        #expect(demand.leave() == [.corrupt: 1])
    }

    @Test func `refused options fail the series at once`() {
        let demand = demand(2)
        let first = offer(1)
        let problem = Problem(.configurationUnsupported, "No.", remedy: "None.")
        dispatcher.finish(key(1), first[0], .failure(.refused(problem)))
        #expect(throws: problem) { try demand.answer?.get() }
        #expect(!dispatcher.need.isInDemand)
        #expect(offer(2).isEmpty)
    }

    @Test func `closing the device restarts the series`() throws {
        let demand = demand(2)
        let old = offer(1)
        dispatcher.forgetFrames()
        #expect(dispatcher.need.isAwaited)
        let new = offer(1, stream: 2) + offer(2, stream: 2)
        #expect(new.count == 2 && new[0].part != old[0].part)
        // Late parts of the old series are ignored.
        dispatcher.finish(key(1), old[0], .success(image(1, [1])))
        #expect(demand.answer == nil)
        dispatcher.finish(key(1, stream: 2), new[0], .success(image(1, [])))
        dispatcher.finish(key(2, stream: 2), new[1], .success(image(2, [2])))
        #expect(try demand.answer?.get().jpeg == [2])
    }

    /// Ways in which a series fails.
    enum End: CaseIterable {
        case failure, stop, close
    }

    @Test(arguments: End.allCases) func `a failing series reports the problem to its client`(end: End) {
        let demand = demand(2)
        _ = offer(1)
        let problem = Problem(.deviceLost, "Gone.", remedy: "None.")
        switch end {
        case .failure:
            dispatcher.forgetFrames()
            dispatcher.change { $0.subscribers.fail(problem) }
        case .stop: dispatcher.change { $0.stop(problem) }
        case .close: dispatcher.change { $0.close(problem) }
        }
        #expect(throws: problem) { try demand.answer?.get() }
        #expect(!dispatcher.need.isInDemand)
    }

    @Test func `a series without clients takes no further frames`() {
        let demand = demand(3)
        let first = offer(1)
        let other = self.demand(3)
        _ = dispatcher.offer(stamp(1), isNew: false)
        demand.leave()
        #expect(dispatcher.need.isInDemand && offer(2).count == 1)
        other.leave()
        #expect(!dispatcher.need.isInDemand)
        #expect(offer(3).isEmpty)
        #expect(!dispatcher.finish(key(1), first[0], .success(image(1, []))))
    }
}
