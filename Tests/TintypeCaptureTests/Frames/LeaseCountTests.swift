// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeCapture
@testable import TintypeFrames

struct LeaseCountTests {
    @Test func `one buffer may be with the encoder, next to the newest`() {
        let leases = LeaseCount()
        #expect(leases.take())
        #expect(!leases.take())
        #expect(!leases.take())
        leases.giveBack()
        #expect(leases.take())
    }
}
