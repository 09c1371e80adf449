// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct PrintableTextTests {
    @Test(arguments: [
        ("a\u{1B}[31mb", #"a\u{1b}[31mb"#), ("a\rb\nc\td", #"a\rb\nc\td"#), ("\u{0}\u{7F}", #"\u{0}\u{7f}"#),
        ("\u{9B}2J", #"\u{9b}2J"#), ("gpj.\u{202E}exe", #"gpj.\u{202e}exe"#),
        ("\u{2066}a\u{2069}", #"\u{2066}a\u{2069}"#),
        ("a\u{200B}b\u{FEFF}", #"a\u{200b}b\u{feff}"#), ("\u{2028}", #"\u{2028}"#), ("\u{E0041}", #"\u{e0041}"#),
        ("a\r\nb", #"a\r\nb"#), ("\u{AD}\u{3164}", #"\u{ad}\u{3164}"#),
    ])
    func `escapes control and invisible characters`(_ text: String, _ escaped: String) {
        #expect(PrintableText.line(text) == escaped)
    }

    @Test(arguments: ["front", "Kamera Süd", "前門", "a b\\n", "😀", "e\u{301}", "“x” — ±"])
    func `printable text is unchanged`(_ text: String) { #expect(PrintableText.line(text) == text) }
}
