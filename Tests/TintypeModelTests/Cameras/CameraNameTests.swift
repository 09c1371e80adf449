// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct CameraNameTests {
    @Test(arguments: ["a", "0", "front", "cam.2", "back-yard_3", "9..--__", String(repeating: "x", count: 64)])
    func `accepts lowercase letters, digits, dots, dashes and underscores`(_ name: String) {
        #expect(CameraName.isValid(name))
    }

    @Test(arguments: [
        "", ".a", "-a", "_a", "A", "aB", "a b", "a/b", "a\n", "ä", "aé", "a\u{301}", "a\u{0}", "..", "a*",
        "cam\u{2460}", String(repeating: "x", count: 65),
    ])
    func `rejects other characters and lengths`(_ name: String) { #expect(!CameraName.isValid(name)) }

    @Test func `every ASCII character is checked by its position`() {
        let first = Set("abcdefghijklmnopqrstuvwxyz0123456789")
        for byte in UInt8(0)..<128 {
            let character = Character(UnicodeScalar(byte))
            #expect(CameraName.isValid("\(character)") == first.contains(character), "\(byte)")
            let isInside = first.contains(character) || "._-".contains(character)
            #expect(CameraName.isValid("a\(character)z") == isInside, "\(byte)")
        }
    }
}
