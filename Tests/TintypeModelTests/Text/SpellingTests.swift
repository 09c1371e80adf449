// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct SpellingTests {
    @Test(arguments: [
        ("warmht", "warmth"), ("Quality", "quality"), ("folder_mode", "folderMode"), ("qualit", "quality"),
        ("devcie", "device"), ("sizes", "size"),
    ])
    func `a misspelled word finds the nearest known word`(_ word: String, _ meant: String) {
        let known = ["device", "format", "size", "rate", "warmth", "quality", "publish", "folder", "folderMode"]
        #expect(Spelling.nearest(to: word, among: known) == meant)
    }

    @Test(arguments: ["xyz", "interval", "", "brightness"])
    func `a word unlike all known words finds none`(_ word: String) {
        #expect(Spelling.nearest(to: word, among: ["device", "quality", "publish"]) == nil)
    }

    @Test func `a question is about the first word that is not known`() {
        let question = { words in Spelling.question(for: words) { Spelling.nearest(to: $0, among: ["back", "front"]) } }
        #expect(question(["back", "yard", "fornt", "bakc"]) == "Did you mean front?")
        #expect(question(["back", "yard"]) == nil && question([]) == nil)
    }

    @Test func `a remedy names the nearest word, or all words, or the fallback`() {
        let known = ["back", "front"]
        #expect(Spelling.remedy(for: "fornt", among: known, otherwise: "x.") == "Did you mean front?")
        #expect(Spelling.remedy(for: "yard", among: known, otherwise: "x.") == "Use one of: back, front.")
        #expect(Spelling.remedy(for: "yard", among: [], otherwise: "Add one.") == "Add one.")
    }
}
