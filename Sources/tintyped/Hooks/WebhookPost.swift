// SPDX-License-Identifier: Apache-2.0

/// Posts events to an address, by curl(1): TLS with the machine's certificates and proxies are its business.
///
/// The address may be a secret, so it is told to curl on its standard input, with the event: other users see the arguments
/// of a process.
struct WebhookPost: Sendable {
    let address: String

    let command = ["/usr/bin/curl", "--disable", "--config", "-"]

    /// The configuration of curl that posts `event`, which is JSON in one line.
    func input(_ event: [UInt8]) -> [UInt8] {
        let lines = [
            "url = \(Self.quoted(Array(address.utf8)))",
            "data-binary = \(Self.quoted(event.filter { $0 != UInt8(ascii: "\n") }))",
            "header = \"Content-Type: application/json\"", "proto = \"=http,https\"", "output = \"/dev/null\"",
            "globoff", "fail", "silent", "show-error",
        ]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// A value in quotes, in which curl knows `\\` and `\"`.
    private static func quoted(_ bytes: some Sequence<UInt8>) -> String {
        let text = String(decoding: Array(bytes), as: UTF8.self)
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// Whether a text is an address of http or https (RFC 3986).
    static func isAddress(_ text: String) -> Bool {
        text.utf8.count <= 2048 && text.wholeMatch(of: /https?:\/\/[^\x00-\x20"\\\x7F\/?#]+[^\x00-\x20"\\\x7F]*/) != nil
    }

    /// An address without what may be a secret: its user, its path, and what follows.
    static func publicPart(_ address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2 else { return "" }
        let host = parts[2].prefix { $0 != "?" && $0 != "#" }
        return "\(parts[0])//\(host.split(separator: "@").last ?? "")"
    }
}
