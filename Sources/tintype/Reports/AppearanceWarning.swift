// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A word of warning for pictures that are whole and may yet show nothing.
enum AppearanceWarning {
    /// Two lines for stderr; nil where every picture looks like one.
    static func text(_ records: [StillRecord]) -> PrintedText? {
        let looks = Appearance.allCases.map { look in
            (look: look, count: records.count { $0.appearance?.contains(look) == true })
        }
        let seen = looks.filter { $0.count > 0 }
        guard let camera = records.first?.camera, !seen.isEmpty else { return nil }
        let words = seen.map { look, count in
            records.count == 1 ? verb(look, isPlural: false) : "\(count) \(verb(look, isPlural: count > 1))"
        }
        let sentence =
            records.count == 1
            ? "The picture from \(camera) \(words.joined(separator: " and "))."
            : "Of \(records.count) pictures from \(camera), \(words.joined(separator: ", "))."
        let rejected = seen.map(\.look.rawValue).joined(separator: ",")
        return """
            tintype: \(sentence)
            Check the lens and the light, and see “tintype doctor \(camera)”. --reject \(rejected) refuses such pictures.

            """
    }

    private static func verb(_ look: Appearance, isPlural: Bool) -> String {
        switch look {
        case .black: isPlural ? "look black" : "looks black"
        case .uniform: isPlural ? "show one uniform tone" : "shows one uniform tone"
        case .frozen: isPlural ? "equal the one before" : "equals the one before"
        }
    }
}
