// SPDX-License-Identifier: Apache-2.0

/// How wide the thumbnail of a stored frame may be, in pixels.
package enum ThumbnailWidth {
    /// The widths that can be asked for; a picture that is narrower is given as it is.
    package static let range = 16...1920
    /// The width where none is asked for.
    package static let standard = 320

    /// Reads the parameter `width` of `GET /v1/frames/{id}/thumbnail`; nil gives ``standard``.
    ///
    /// Throws `invalid-request` for anything but a whole number of ``range``.
    package static func read(_ text: String?) throws(Problem) -> Int {
        guard let text else { return standard }
        guard let width = Int(text), range.contains(width) else {
            throw .invalid(
                field: "width",
                "is not a whole number from \(range.lowerBound) to \(range.upperBound): “\(text)”.",
                remedy: "Give such a number, or leave it out for \(standard)."
            )
        }
        return width
    }
}
