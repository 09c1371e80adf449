// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeModel

struct UnixAddressTests {
    @Test(
        arguments: [
            ("", 2), ("/run/a.sock", 13), ("\0abstract", 11), (String(repeating: "a", count: 107), 109),
        ] as [(String, UInt32)]
    )
    func `the length of an address follows its name`(_ name: String, _ bytes: UInt32) {
        let length = unsafe UnixAddress.with(name.utf8) { _, length in length }
        #expect(length == bytes)
    }
}
