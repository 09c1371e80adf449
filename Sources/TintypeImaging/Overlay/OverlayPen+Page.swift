// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension OverlayPen {
    /// The size of a page, in pixels.
    private static let pageSize = FrameSize(width: 640, height: 360)
    private static let lineHeight = 22
    /// So many letters of the usual font fit into a line.
    private static let lineLength = 52

    /// Makes `picture` a dark grey page with paragraphs of text.
    ///
    /// - Parameters:
    ///   - paragraphs: plain text, broken between its words.
    ///   - picture: the page.
    /// - Throws: ``ImagingError/refused(_:)`` where the usual font cannot be used; the page is empty then.
    package mutating func draw(
        _ paragraphs: [String],
        into picture: inout PlanarPicture
    ) throws(ImagingError) {
        picture.reset(to: Self.pageSize, .grey)
        picture.fill(with: 40)
        var top = Self.lineHeight
        for paragraph in paragraphs {
            for line in Self.lines(of: paragraph) {
                let mask = try mask(
                    of: line,
                    OverlayStyle.defaultFont,
                    lineHeight: Self.lineHeight * 3 / 4,
                    width: Self.pageSize.width - 2 * Self.lineHeight
                )
                mask.blend(into: &picture, left: Self.lineHeight, top: top)
                top += Self.lineHeight
            }
            top += Self.lineHeight / 2
        }
    }

    /// A paragraph as lines that fit.
    static func lines(of paragraph: String) -> [String] {
        var lines: [String] = []
        for word in paragraph.split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= lineLength {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
