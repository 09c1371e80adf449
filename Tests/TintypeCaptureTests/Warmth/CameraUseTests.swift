// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture

struct CameraUseTests {
    private let end = MonotonicTime(nanoseconds: 10_000_000_000)
    private let warmths: [Warmth] = [.hot, .linger(.seconds(10)), .cold]

    @Test func `only a hot camera stays open without clients`() {
        var use = CameraUse()
        #expect(warmths.map(use.keepsOpen) == [true, false, false])
        let ended = use.stop()
        #expect(ended.isEmpty)
        #expect(warmths.map(use.keepsOpen) == [false, false, false])
        use.opens()
        #expect(warmths.map(use.keepsOpen) == [true, false, false])
    }

    @Test func `a started or held camera stays open regardless of warmth`() {
        var started = CameraUse()
        started.isStarted = true
        var held = CameraUse()
        _ = held.holds.hold("ann", until: end)
        for use in [started, held] {
            #expect(warmths.map(use.keepsOpen) == [true, true, true])
            #expect(warmths.map(use.lingering) == [nil, nil, nil])
        }
        let ended = held.stop()
        #expect(ended.map(\.owner) == ["ann"])
        _ = started.stop()
        for use in [started, held] { #expect(warmths.map(use.keepsOpen) == [false, false, false]) }
    }

    @Test func `the warmth decides the linger time`() {
        #expect(warmths.map(CameraUse().lingering) == [nil, .seconds(10), .zero])
    }
}

struct HoldTableTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func `holds expire at their end`() {
        var table = HoldTable()
        #expect(table.isEmpty && table.nextEnd == nil)
        #expect(table.expire(at: start).isEmpty)
        for (owner, seconds) in [("cat", 3), ("ann", 1), ("bob", 2)] {
            #expect(table.hold(owner, until: start + .seconds(seconds))?.owner == owner)
        }
        #expect(table.holds.map(\.owner) == ["ann", "bob", "cat"])
        #expect(table.nextEnd == start + .seconds(1))
        #expect(table.expire(at: start + .seconds(1) - .nanoseconds(1)).isEmpty)
        #expect(table.expire(at: start + .seconds(2)).map(\.owner) == ["ann", "bob"])
        #expect(table.holds.map(\.owner) == ["cat"])
        #expect(table.expire(at: start + .seconds(60)).map(\.owner) == ["cat"])
        #expect(table.isEmpty)
    }

    @Test func `renewing a hold never shortens it`() {
        var table = HoldTable()
        _ = table.hold("ann", until: start + .seconds(5))
        #expect(table.hold("ann", until: start + .seconds(9))?.end == start + .seconds(9))
        #expect(table.hold("ann", until: start + .seconds(1))?.end == start + .seconds(9))
        #expect(table.holds.count == 1)
    }

    @Test func `releases one hold or all`() {
        var table = HoldTable()
        for owner in ["ann", "bob", "cat"] { _ = table.hold(owner, until: start) }
        #expect(table.release("bob").map(\.owner) == ["bob"])
        #expect(table.release("bob").isEmpty)
        #expect(table.release(nil).map(\.owner) == ["ann", "cat"])
        #expect(table.release(nil).isEmpty)
    }
}
