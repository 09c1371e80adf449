// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Translates request fields into options: problems name fields, but users know options.
enum OptionName {
    /// Fields whose option has a different name.
    private static let renamed = [
        "deadlineMs": "deadline", "maxAgeMs": "max-age", "atMs": "at", "everyMs": "every", "fromMs": "from",
        "toMs": "to", "forMs": "for", "tags": "tag", "addTags": "add", "removeTags": "remove",
    ]
    /// Fields that are also ordinary words; replaced only in certain contexts.
    private static let same: Set = [
        "fresh", "count", "nth", "settle", "integrity", "width", "height", "crop", "rotate", "flip", "quality",
        "overlay", "average", "size", "durability", "keep", "lossless", "reject", "owner", "preset", "format", "rate",
        "input", "standard", "warmth", "where",
    ]

    /// Replaces fields by options: `The field fresh.maxAgeMs`, `(deadlineMs)`, `leave size out`, `everyMs`.
    static func replacingFields(in sentence: String) -> String {
        sentence
            .replacing(/The field (?:[A-Za-z]+\.)*([A-Za-z]+)/) { match in
                option(match.1) ?? String(match.0)
            }
            .replacing(/\(([A-Za-z]+)\b/) { match in option(match.1).map { "(\($0)" } ?? String(match.0) }
            .replacing(/\b([Ll]eave(?: out)?|with|needs|[Aa]sk for) ([a-z]+)\b/) { match in
                option(match.2).map { "\(match.1) \($0)" } ?? String(match.0)
            }
            .replacing(/\b[a-z]+[A-Z][A-Za-z]*\b/) { match in
                renamed[String(match.0)].map { "--\($0)" } ?? String(match.0)
            }
    }

    private static func option(_ field: Substring) -> String? {
        let field = String(field)
        return (renamed[field] ?? (same.contains(field) ? field : nil)).map { "--\($0)" }
    }
}
