// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeCapture
import TintypeModel

@testable import TintypeStills

struct LumaStatisticsTests {
    @Test func `nothing is said of no pictures`() {
        var statistics = LumaStatistics()
        statistics.addCorrupt()
        let tally = statistics.tally
        #expect((tally.examined, tally.corrupt, tally.changed) == (0, 1, 0))
        #expect(tally.meanLuma == nil && tally.darkest == nil && tally.brightest == nil)
    }

    @Test func `the extreme hundredths are left out, and no more`() {
        var statistics = LumaStatistics()
        // Of 200 pixels two are black and two are white.
        statistics.add([0, 0] + [UInt8](repeating: 50, count: 98) + [UInt8](repeating: 150, count: 98) + [255, 255])
        let tally = statistics.tally
        #expect(tally.darkest == 50)
        #expect(tally.brightest == 150)
        #expect(tally.meanLuma == 100.6)
        statistics = LumaStatistics()
        statistics.add([0, 0, 0] + [UInt8](repeating: 50, count: 194) + [255, 255, 255])
        #expect(statistics.tally.darkest == 0)
        #expect(statistics.tally.brightest == 255)
    }

    @Test func `a single pixel is a change`() {
        var statistics = LumaStatistics()
        for picture in [[1, 2, 3], [1, 2, 3], [1, 2, 4], [1, 2, 4], [1, 2, 3]] as [[UInt8]] { statistics.add(picture) }
        #expect(statistics.tally.examined == 5)
        #expect(statistics.tally.changed == 2)
    }

    @Test func `one picture of one pixel is all there is`() {
        var statistics = LumaStatistics()
        statistics.add([7])
        #expect(statistics.tally.darkest == 7)
        #expect(statistics.tally.brightest == 7)
        #expect(statistics.tally.meanLuma == 7)
    }
}
