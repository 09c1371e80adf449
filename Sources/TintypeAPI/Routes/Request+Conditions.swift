// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension Request {
    /// Whether the client holds the picture with this tag already: `If-None-Match` is `*` or a list that has the tag,
    /// weak or strong (RFC 9110, 13.1.2 and 8.8.3.2).
    ///
    /// A field that is neither is no condition.
    func alreadyHas(tag: String) -> Bool {
        guard let condition = headers[.ifNoneMatch] else { return false }
        return condition == "*" || EntityTag.list(condition).contains(tag)
    }
}

/// Entity tags (RFC 9110, 8.8.3).
enum EntityTag {
    /// The texts between the quotes of the tags of a list; empty for a text that is no list of tags.
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
