// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import tintyped

struct WebhookPostTests {
    @Test func `curl is told the address and the event on its standard input, in quotes`() {
        let post = WebhookPost(address: "https://example.org/a?b=c")
        let lines = String(decoding: post.input(Array("{\"a\":\"\\\"\\n\"}\n".utf8)), as: UTF8.self).split(
            separator: "\n"
        )
        #expect(lines[0] == "url = \"https://example.org/a?b=c\"")
        #expect(lines[1] == #"data-binary = "{\"a\":\"\\\"\\n\"}""#)
        #expect(!post.command.contains { $0.contains("example") })
    }

    @Test(arguments: [
        ("https://example.org/a?b", "https://example.org"),
        ("http://user:word@example.org:8080/a/b", "http://example.org:8080"),
        ("https://example.org?key=1", "https://example.org"), ("https://example.org", "https://example.org"),
    ])
    func `of an address the server alone is shown`(address: String, shown: String) {
        #expect(WebhookPost.isAddress(address) && WebhookPost.publicPart(address) == shown)
    }

    @Test(arguments: [
        "", "example.org", "file:///etc/passwd", "https://", "https://a b", "https://a\"b", "https://a\nb",
    ])
    func `what is no address of http is none`(text: String) { #expect(!WebhookPost.isAddress(text)) }
}
