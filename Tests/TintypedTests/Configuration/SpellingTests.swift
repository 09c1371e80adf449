// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import tintyped

struct SpellingTests {
    @Test(arguments: [
        ("warmht", "warmth"), ("Quality", "quality"), ("folder_mode", "folderMode"), ("qualit", "quality"),
        ("devcie", "device"), ("sizes", "size"),
    ])
    func `a mistyped word finds what was meant`(_ word: String, _ meant: String) {
        let known = ["device", "format", "size", "rate", "warmth", "quality", "publish", "folder", "folderMode"]
        #expect(Spelling.nearest(to: word, among: known) == meant)
    }

    @Test(arguments: ["xyz", "interval", "", "brightness"])
    func `a word that is near to none finds none`(_ word: String) {
        #expect(Spelling.nearest(to: word, among: ["device", "quality", "publish"]) == nil)
    }
}
