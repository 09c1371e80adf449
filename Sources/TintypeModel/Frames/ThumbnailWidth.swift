// SPDX-License-Identifier: Apache-2.0

package enum ThumbnailWidth {
    /// Accepted widths; narrower pictures are not enlarged.
    package static let range = 16...1920
    package static let standard = 320

    /// Width from a parameter, ``standard`` if nil; throws `invalid-request` unless it is a number in ``range``.
    package static func read(_ text: String?) throws(Problem) -> Int {
        guard let text else { return standard }
        guard let width = Int(text), range.contains(width) else {
            let wrong = "is not a whole number from \(range.lowerBound) to \(range.upperBound): “\(text)”."
            throw .invalid(field: "width", wrong, remedy: "Give such a number, or leave it out for \(standard).")
        }
        return width
    }
}
