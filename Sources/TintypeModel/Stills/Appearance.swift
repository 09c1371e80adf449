// SPDX-License-Identifier: Apache-2.0

/// What a picture looks like that is whole and yet may be worth nothing.
package enum Appearance: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// All of it is as dark as a covered lens makes it.
    case black
    /// All of it has one brightness and one colour.
    case uniform
    /// It equals the picture before it, which no sensor delivers twice.
    case frozen

    /// What `words` mean; nil where one of them means none, or is there twice.
    package static func set(_ words: [String]) -> Set<Appearance>? {
        let looks = Set(words.compactMap(Appearance.init))
        return looks.count == words.count ? looks : nil
    }

    /// A picture whose hundredth brightest pixel is darker than this shows nothing: 48 of 255.
    package static let darkLuma = 48
    /// A picture whose luma spans less than this, its extreme hundredths left out, has one tone: 8 of 255, more than
    /// sensors' noise and JPEG leave of it.
    package static let evenSpan = 8
}
