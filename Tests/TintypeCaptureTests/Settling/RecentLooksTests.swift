// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeFrames

struct RecentLooksTests: NumberedFrames {
    let start = TestClock().now

    private func look(_ ordinal: UInt64, stream: UInt64) -> FrameLook {
        FrameLook(key: key(ordinal, stream: stream), stamp: stamp(ordinal), statistics: nil)
    }

    @Test(arguments: [true, false])
    func `a look at the stream before never hides the one at the stream that runs`(_ isLast: Bool) {
        let looks = RecentLooks()
        let (old, new) = (look(9, stream: 1), look(1, stream: 2))
        for look in isLast ? [new, old] : [old, new] { looks.finish(look) }
        #expect(looks.takeFinished()?.key == new.key)
        #expect(looks.takeFinished() == nil)
    }
}
