// SPDX-License-Identifier: Apache-2.0

/// Defect in the content of an intact picture: it may be useless.
package enum ImageDefect: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Uniformly dark, as with a covered lens.
    case black
    case uniform
    /// Equal to the previous picture, if that was examined, too; a live sensor never delivers this.
    case frozen

    /// Parses distinct words; nil if one is unknown or repeated.
    package static func parse(_ words: [String]) -> Set<ImageDefect>? {
        let defects = Set(words.compactMap(ImageDefect.init))
        return defects.count == words.count ? defects : nil
    }

    /// Black pictures have a 99th percentile of luma below this, of 255.
    package static let darkLuma = 48
    /// Luma span of uniform pictures without the extreme 1 % at both ends, of 255: above noise and JPEG artefacts.
    package static let evenSpan = 8
}
