// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture

struct CameraUseTests {
    private let end = MonotonicTime(nanoseconds: 10_000_000_000)
    private let warmths: [Warmth] = [.hot, .linger(.seconds(10)), .cold]

    @Test func `only a hot camera stays open by itself, and no longer than until it is stopped`() {
        var use = CameraUse()
        #expect(warmths.map(use.keepsOpen) == [true, false, false])
        let ended = use.stop()
        #expect(ended.isEmpty)
        #expect(warmths.map(use.keepsOpen) == [false, false, false])
        use.opens()
        #expect(warmths.map(use.keepsOpen) == [true, false, false])
    }

    @Test func `one that is started or held stays open for ever, whatever its warmth`() {
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

    @Test func `after its last use a camera stays open as its warmth says`() {
        #expect(warmths.map(CameraUse().lingering) == [nil, .seconds(10), .zero])
    }
}
