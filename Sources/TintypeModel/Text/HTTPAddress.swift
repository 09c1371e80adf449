// SPDX-License-Identifier: Apache-2.0

/// Parts of an address of http or https (RFC 3986, 3), which may be secret.
package enum HTTPAddress {
    /// User information, host and port, as in `user:word@example.org:8080`.
    static func authority(of address: String) -> Substring {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 2 ? parts[2].prefix { $0 != "?" && $0 != "#" } : ""
    }

    /// Without parts that may be secret: user information, path, query and fragment.
    package static func publicPart(_ address: String) -> String {
        "\(address.prefix { $0 != ":" })://\(authority(of: address).split(separator: "@").last ?? "")"
    }
}

/// Configuration that curl(1) reads, which hides secrets that its arguments would show to other users.
package enum CurlConfiguration {
    /// A setting such as `url = "https://example.org"`; curl supports the escapes `\\` and `\"`.
    ///
    /// Without control characters: a line break would begin another setting.
    package static func setting(_ name: String, _ value: String) -> String {
        let text = String(decoding: value.utf8.filter { $0 >= 0x20 }, as: UTF8.self)
        return "\(name) = \"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
