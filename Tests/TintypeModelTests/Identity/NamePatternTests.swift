// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct NamePatternTests {
    @Test(arguments: [
        ("", ""), ("*", ""), ("*", "HD Webcam"), ("HD*", "HD Webcam"), ("*Webcam", "HD Webcam"), ("H?*m", "HD Webcam"),
        ("*a*a*", "banana"), ("a*b*c", "aXbYbZc"), ("[UVC]*", "[UVC] Cam"), ("caf?", "café"), ("**x", "x"), ("?", "é"),
    ])
    func `a pattern matches the text`(_ pattern: String, _ text: String) { #expect(NamePattern.matches(pattern, text)) }

    @Test(arguments: [
        ("", "x"), ("?", ""), ("HD", "HD Webcam"), ("hd*", "HD Webcam"), ("*cam", "Webcam C920"), ("a*b*c", "aXbYbZ"),
        ("\\*", "x"), ("x?", "x"), ("*?x", "x"),
    ])
    func `a pattern does not match other text`(_ pattern: String, _ text: String) {
        #expect(!NamePattern.matches(pattern, text))
    }

    @Test func `a failed match with many stars takes no exponential time`() {
        let pattern = String(repeating: "*a", count: 60) + "b"
        #expect(!NamePattern.matches(pattern, String(repeating: "a", count: 200)))
    }
}
