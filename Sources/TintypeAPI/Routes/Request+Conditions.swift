// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension Request {
    /// True if `If-None-Match` is `*` or lists the tag, weak or strong (RFC 9110, 13.1.2 and 8.8.3.2).
    ///
    /// A malformed field is ignored.
    func alreadyHas(tag: String) -> Bool {
        guard let condition = headers[.ifNoneMatch] else { return false }
        return condition == "*" || EntityTag.list(condition).contains(tag)
    }
}

/// Entity tags (RFC 9110, 8.8.3).
enum EntityTag {
    /// Opaque tags of a list, without quotes and `W/`; empty if the list is malformed.
    static func list(_ text: String) -> [String] {
        var rest = Substring(text)
        var tags: [String] = []
        while let match = rest.prefixMatch(of: /[ \t]*(?:W\/)?"([^\x00-\x20"\x7F]*)"[ \t]*(,[ \t,]*|$)/) {
            tags.append(String(match.1))
            rest = rest[match.range.upperBound...]
        }
        return rest.isEmpty ? tags : []
    }
}
