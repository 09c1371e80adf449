// SPDX-License-Identifier: Apache-2.0

/// Defect in the content of an intact picture: it may be useless.
package enum ImageDefect: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Uniformly dark, as with a covered lens.
    case black
    /// A single brightness and colour.
    case uniform
    /// Equal to the previous picture, which a live sensor never delivers.
    case frozen

    /// Parses distinct words; nil if one is unknown or repeated.
    package static func set(_ words: [String]) -> Set<ImageDefect>? {
        let looks = Set(words.compactMap(ImageDefect.init))
        return looks.count == words.count ? looks : nil
    }

    /// Black pictures have a 99th percentile of luma below this, of 255.
    package static let darkLuma = 48
    /// Uniform pictures have a luma span below this, of 255, without the extreme 1 % at both ends.
    ///
    /// Exceeds sensor noise and JPEG artefacts.
    package static let evenSpan = 8
}
