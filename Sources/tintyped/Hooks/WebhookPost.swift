// SPDX-License-Identifier: Apache-2.0

/// Posts events to a URL with curl(1), which handles TLS with the machine's certificates, and proxies.
///
/// The URL may be secret, so curl gets it on its standard input with the event: process arguments are visible to other
/// users.
struct WebhookPost: Sendable {
    let address: String

    let command = ["/usr/bin/curl", "--disable", "--config", "-"]

    /// Curl configuration that posts `event`, JSON on one line.
    func input(_ event: [UInt8]) -> [UInt8] {
        let lines = [
            "url = \(Self.quoted(Array(address.utf8)))",
            "data-binary = \(Self.quoted(event.filter { $0 != UInt8(ascii: "\n") }))",
            "header = \"Content-Type: application/json\"", "proto = \"=http,https\"", "output = \"/dev/null\"",
            "globoff", "fail", "silent", "show-error",
        ]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Quoted value; curl supports the escapes `\\` and `\"`.
    private static func quoted(_ bytes: some Sequence<UInt8>) -> String {
        let text = String(decoding: Array(bytes), as: UTF8.self)
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// True for an HTTP or HTTPS URL (RFC 3986).
    static func isAddress(_ text: String) -> Bool {
        text.utf8.count <= 2048 && text.wholeMatch(of: /https?:\/\/[^\x00-\x20"\\\x7F\/?#]+[^\x00-\x20"\\\x7F]*/) != nil
    }

    /// The URL without parts that may be secret: user information, path, query and fragment.
    static func publicPart(_ address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2 else { return "" }
        let host = parts[2].prefix { $0 != "?" && $0 != "#" }
        return "\(parts[0])//\(host.split(separator: "@").last ?? "")"
    }
}
