// SPDX-License-Identifier: Apache-2.0
internal import CFreeType
package import TintypeModel

/// Draws text into pictures with FreeType; not thread-safe, and blocks to read a font file on first use.
///
/// Sendable: it owns its library and face, and FreeType objects are not bound to a thread.
@safe package struct OverlayPen: ~Copyable, @unchecked Sendable {
    private var library: FT_Library?
    private var face: FT_Face?
    private var path = ""

    package init() {
        unsafe library = nil
        unsafe face = nil
    }

    deinit {
        if let face = unsafe face { unsafe _ = FT_Done_Face(face) }
        if let library = unsafe library { unsafe _ = FT_Done_FreeType(library) }
    }

    /// Draws a line into a corner of a picture, white with a black outline.
    ///
    /// Glyphs are placed left to right in text order: no ligatures, no right-to-left layout. Missing characters show
    /// the font's placeholder glyph. Text is clipped at the right and lower edges of the picture.
    ///
    /// `text` has fields of strftime(3), in local time. Throws ``ImagingError/refused(_:)`` for an unusable font.
    package mutating func write(
        _ text: String,
        at moment: Timestamp,
        _ style: OverlayStyle,
        into picture: inout PlanarPicture
    ) throws(ImagingError) {
        let (width, height) = (picture.size.width, picture.size.height)
        let lineHeight = max(8, Int(Double(height) * style.percent / 100))
        let mask = try mask(of: LocalTime(moment).text(text), style.font, lineHeight: lineHeight, width: width)
        let margin = lineHeight / 4
        let left = style.corner.isRight ? max(0, width - mask.width - margin) : margin
        let top = style.corner.isUpper ? margin : max(0, height - mask.height - margin)
        mask.blend(into: &picture, left: left, top: top)
    }

    /// At most `width` wide.
    mutating func mask(of text: String, _ font: String, lineHeight: Int, width: Int) throws(ImagingError) -> TextMask {
        let face = try unsafe open(font)
        guard unsafe FT_Set_Pixel_Sizes(face, 0, UInt32(lineHeight)) == 0 else {
            throw Self.useless(font, "it has no letters of any size", or: "Choose a TrueType or OpenType font.")
        }
        let ascent = unsafe Int(face.pointee.size.pointee.metrics.ascender) / 64
        let descent = unsafe -Int(face.pointee.size.pointee.metrics.descender) / 64
        let edge = max(1, lineHeight / 16)
        var mask = TextMask(width: max(1, width), height: max(1, ascent + descent) + 2 * edge, edge: edge)
        // In 26.6 fixed point, as FreeType's advances.
        var place = edge * 64
        for scalar in text.unicodeScalars where place / 64 < width {
            let isControl = scalar.value < 32 || scalar.value == 127
            let glyph = unsafe FT_Get_Char_Index(face, FT_ULong(isControl ? 32 : scalar.value))
            guard unsafe FT_Load_Glyph(face, glyph, FT_LOAD_DEFAULT) == 0, let slot = unsafe face.pointee.glyph,
                unsafe FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) == 0
            else { continue }
            let left = unsafe place / 64 + Int(slot.pointee.bitmap_left)
            let top = unsafe edge + ascent - Int(slot.pointee.bitmap_top)
            unsafe mask.add(slot.pointee.bitmap, left: left, top: top)
            place += unsafe Int(slot.pointee.advance.x)
        }
        mask.finish(width: place / 64 + edge)
        return mask
    }

    private mutating func open(_ font: String) throws(ImagingError) -> FT_Face {
        if let face = unsafe face, path == font { return unsafe face }
        if let old = unsafe face { unsafe _ = FT_Done_Face(old) }
        unsafe face = nil
        if unsafe library == nil {
            guard unsafe FT_Init_FreeType(&library) == 0 else { throw .encoder("FreeType has no memory") }
        }
        let remedy =
            font == OverlayStyle.defaultFont
            ? "Install the package \(OverlayStyle.defaultFontPackage), or set the camera's overlay.font."
            : "Correct the camera's overlay.font; the package \(OverlayStyle.defaultFontPackage) has fonts."
        let code = unsafe FT_New_Face(library, font, 0, &face)
        guard code == 0, let face = unsafe face else {
            unsafe face = nil
            // FT_Err_Cannot_Open_Resource is 1. Any other code means the file is not a font.
            throw Self.useless(font, code == 1 ? "it cannot be opened" : "it is no font", or: remedy)
        }
        path = font
        return unsafe face
    }

    private static func useless(_ font: String, _ why: String, or remedy: String) -> ImagingError {
        let detail = "No text can be written into the picture with the font \(font): \(why)."
        return .refused(Problem(.configurationUnsupported, detail, remedy: remedy))
    }

    // MARK: - Pages of text

    private static let pageSize = FrameSize(width: 640, height: 360)
    private static let lineHeight = 22
    /// Characters per line in the default font.
    private static let lineLength = 52

    /// A dark grey page of paragraphs, wrapped at words; left empty with ``ImagingError/refused(_:)`` without the font.
    package mutating func draw(_ paragraphs: [String], into picture: inout PlanarPicture) throws(ImagingError) {
        picture.reset(to: Self.pageSize, .grey)
        picture.fill(with: 40)
        var top = Self.lineHeight
        let (font, height) = (OverlayStyle.defaultFont, Self.lineHeight * 3 / 4)
        let width = Self.pageSize.width - 2 * Self.lineHeight
        for paragraph in paragraphs {
            for line in Self.lines(of: paragraph) {
                let mask = try mask(of: line, font, lineHeight: height, width: width)
                mask.blend(into: &picture, left: Self.lineHeight, top: top)
                top += Self.lineHeight
            }
            top += Self.lineHeight / 2
        }
    }

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
