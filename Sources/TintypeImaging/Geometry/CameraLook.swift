// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Orientation, part and mask of a camera's pictures, the same in every output.
///
/// Crop and mask refer to the upright picture, before it is cropped, that a camera's picture of ``size`` gives. Other
/// sizes of the same proportions are cropped and masked likewise; pictures of other proportions are refused.
package struct CameraLook: Hashable, Sendable {
    package var flip: Flip?
    /// After the flip.
    package var turn = Turn.none
    /// In pixels, inside the upright picture.
    package var crop: CropRectangle?
    package var mask: [MaskShape] = []
    /// Size of the camera's picture; nil without crop and mask.
    package var size: FrameSize?

    package init() {}

    package var isMasked: Bool { !mask.isEmpty }
    package var orientation: PictureOrientation { PictureOrientation(flip: flip, turn: turn) }

    package var status: LookStatus {
        LookStatus(rotate: turn.rawValue, flip: flip, crop: crop, maskedAreas: mask.count)
    }

    /// Part that is visible of the upright picture that a camera's picture of `source` gives.
    ///
    /// Throws ``ImagingError/refused(_:)`` for other proportions than those of ``size``.
    func visiblePart(of source: FrameSize) throws(ImagingError) -> CropRectangle {
        let upright = orientation.size(of: source)
        guard let size else { return CropRectangle(size: upright, left: 0, top: 0) }
        guard hasProportions(source) else { throw .refused(.otherProportions(source, size)) }
        guard let crop else { return CropRectangle(size: upright, left: 0, top: 0) }
        // Rounded to the part inside, at least a pixel.
        func scaled(_ start: Int, _ count: Int, _ side: Int) -> (start: Int, count: Int) {
            let first = min((start * source.width + size.width - 1) / size.width, side - 1)
            return (first, max(1, (start + count) * source.width / size.width - first))
        }
        let columns = scaled(crop.left, crop.size.width, upright.width)
        let rows = scaled(crop.top, crop.size.height, upright.height)
        let part = FrameSize(width: columns.count, height: rows.count)
        return CropRectangle(size: part, left: columns.start, top: rows.start)
    }

    /// Refuses settings that would move the picture under its mask; `controls` have the present values.
    package func check(_ settings: ControlSettings, of controls: [ControlDescription]) throws(Problem) {
        guard isMasked else { return }
        for (name, value) in settings.values.sorted(by: { $0.key < $1.key }) {
            let control = controls.control(named: name)
            guard let control, ControlNumber.movesPicture(control), control.value != value else { continue }
            throw .moved(by: "the control \(control.name)", field: name)
        }
    }

    /// Refuses a format of other proportions than those of ``size``, and an input that would move the picture under its
    /// mask.
    package func check(_ new: CameraSettings, after old: CameraSettings) throws(Problem) {
        if let size {
            guard let asked = new.format.size?.size ?? new.input.crop?.size else { throw .otherProportions(nil, size) }
            try check(asked)
        }
        guard isMasked, new.input != old.input else { return }
        throw .moved(by: "another input, standard, crop or deinterlacing", field: "input")
    }

    /// Refuses pictures of other proportions than those of ``size``.
    package func check(_ picture: FrameSize) throws(Problem) {
        guard let size, !hasProportions(picture) else { return }
        throw .otherProportions(picture, size)
    }

    private func hasProportions(_ other: FrameSize) -> Bool {
        size.map { other.width * $0.height == other.height * $0.width } ?? true
    }

    /// True if the mask touches a part of the camera's picture of `size`, in any unit.
    func masks(_ part: CropRectangle, of size: FrameSize) -> Bool {
        let (part, upright) = (orientation.part(part, of: size), orientation.size(of: size))
        return mask.contains { $0.touches(part, of: upright) }
    }

    /// True if the mask touches such a part, or the crop leaves it out.
    func hides(_ part: CropRectangle, of size: FrameSize) -> Bool {
        guard let crop, let whole = self.size else { return masks(part, of: size) }
        let visible = MaskShape(crop, of: orientation.size(of: whole))
        let isVisible = visible.touches(orientation.part(part, of: size), of: orientation.size(of: size))
        return !isVisible || masks(part, of: size)
    }
}

/// A polygon that covers an area of a picture.
package struct MaskShape: Hashable, Sendable {
    /// In fractions of the picture's width and height, 0 to 1.
    struct Corner: Hashable {
        var x: Double
        var y: Double
    }

    let corners: [Corner]

    /// Parses a rectangle, `WIDTHxHEIGHT+LEFT+TOP`, or a polygon of three and more corners, `X,Y X,Y X,Y`.
    ///
    /// In percent of the picture or, followed by `px`, in pixels of one of `size`. Nil for other texts, and for shapes
    /// that are empty or reach over the edge.
    package init?(_ text: String, of size: FrameSize? = nil) {
        let isInPixels = text.hasSuffix("px")
        guard !isInPixels || size != nil else { return nil }
        let scale = isInPixels ? size ?? FrameSize(width: 100, height: 100) : FrameSize(width: 100, height: 100)
        let shape = isInPixels ? text.dropLast(2) : text[...]
        func numbers(_ text: Substring, _ separators: String) -> [Double] {
            let parts = text.split(omittingEmptySubsequences: false) { separators.contains($0) }
            let isPlain = parts.allSatisfy { $0.wholeMatch(of: /[0-9]{1,5}(?:\.[0-9]{1,3})?/) != nil }
            return isPlain ? parts.compactMap { Double($0) } : []
        }
        let sides = numbers(shape, "x+")
        let points: [[Double]]
        if sides.count == 4, shape.wholeMatch(of: /[0-9.]+x[0-9.]+\+[0-9.]+\+[0-9.]+/) != nil {
            let (left, top, right, bottom) = (sides[2], sides[3], sides[2] + sides[0], sides[3] + sides[1])
            points = [[left, top], [right, top], [right, bottom], [left, bottom]]
        } else {
            points = shape.split(separator: " ").map { numbers($0, ",") }
        }
        guard points.count >= 3, points.allSatisfy({ $0.count == 2 }) else { return nil }
        corners = points.map { Corner(x: $0[0] / Double(scale.width), y: $0[1] / Double(scale.height)) }
        guard corners.allSatisfy({ $0.x <= 1 && $0.y <= 1 }), area > 0 else { return nil }
    }

    init(_ part: CropRectangle, of size: FrameSize) {
        let (right, bottom) = (part.left + part.size.width, part.top + part.size.height)
        let points = [(part.left, part.top), (right, part.top), (right, bottom), (part.left, bottom)]
        corners = points.map { Corner(x: Double($0.0) / Double(size.width), y: Double($0.1) / Double(size.height)) }
    }

    /// Twice the area of the polygon, by the shoelace formula; for an intersecting one the sum of its signed parts.
    private var area: Double {
        let pairs = zip(corners, corners.dropFirst() + corners.prefix(1))
        return abs(pairs.reduce(0.0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y })
    }

    /// True if the shape covers some of a part of a picture of `size`; edges that only meet do not count.
    ///
    /// Clips the polygon by each side of the part (Sutherland and Hodgman).
    func touches(_ part: CropRectangle, of size: FrameSize) -> Bool {
        let (width, height) = (Double(size.width), Double(size.height))
        let (left, right) = (Double(part.left) / width, Double(part.left + part.size.width) / width)
        let (top, bottom) = (Double(part.top) / height, Double(part.top + part.size.height) / height)
        var rest = Self.clipped(corners) { $0.x - left }
        rest = Self.clipped(rest) { right - $0.x }
        rest = Self.clipped(rest) { $0.y - top }
        return !Self.clipped(rest) { bottom - $0.y }.isEmpty
    }

    /// The part of a polygon where `inside` is positive; linear in both coordinates.
    private static func clipped(_ corners: [Corner], by inside: (Corner) -> Double) -> [Corner] {
        var rest: [Corner] = []
        for (from, to) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            let (here, there) = (inside(from), inside(to))
            if here > 0 { rest.append(from) }
            guard here > 0 && there <= 0 || here <= 0 && there > 0 else { continue }
            let share = here / (here - there)
            rest.append(Corner(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share))
        }
        return rest
    }
}

/// The cells of a camera's picture that a mask touches, which are black in every output.
struct MaskGrid {
    /// Side of a cell where the picture is not compressed in blocks.
    static let cell = FrameSize(width: 16, height: 16)
    /// Pixels by which interpolation (deinterlacing, Bayer patterns) mixes a pixel into others.
    static let margin = 2

    private(set) var columns: Int
    private(set) var rows: Int
    /// Row by row.
    private var cells: [Bool]

    /// Cells that the mask touches within `margin` pixels are covered, too.
    init(_ look: CameraLook, of size: FrameSize, cell: FrameSize, margin: Int) {
        columns = (size.width + cell.width - 1) / cell.width
        rows = (size.height + cell.height - 1) / cell.height
        cells = (0..<columns * rows).map { [columns] index in
            let (left, top) = (index % columns * cell.width, index / columns * cell.height)
            let (right, bottom) = (min(left + cell.width, size.width), min(top + cell.height, size.height))
            let (x, y) = (max(0, left - margin), max(0, top - margin))
            let (endX, endY) = (min(right + margin, size.width), min(bottom + margin, size.height))
            let side = FrameSize(width: endX - x, height: endY - y)
            return look.masks(CropRectangle(size: side, left: x, top: y), of: size)
        }
    }

    /// True outside of the grid.
    subscript(column: Int, row: Int) -> Bool {
        column >= columns || row >= rows || cells[row * columns + column]
    }

    /// The cells without the first columns and rows.
    func cropped(columns left: Int, rows top: Int) -> MaskGrid {
        var part = self
        (part.columns, part.rows) = (columns - left, rows - top)
        part.cells = (top..<rows).flatMap { cells[$0 * columns + left..<($0 + 1) * columns] }
        return part
    }

    func oriented(by orientation: PictureOrientation) -> MaskGrid {
        let size = orientation.size(of: FrameSize(width: columns, height: rows))
        var turned = self
        (turned.columns, turned.rows) = (size.width, size.height)
        let (undone, one) = (orientation.inverse, FrameSize(width: 1, height: 1))
        turned.cells = (0..<cells.count).map { index in
            let place = CropRectangle(size: one, left: index % size.width, top: index / size.width)
            let source = undone.part(place, of: size)
            return self[source.left, source.top]
        }
        return turned
    }
}

/// The grid of the last look, size and cell, which is the same for each frame of a stream.
struct MaskCache {
    private var last: (look: CameraLook, size: FrameSize, cell: FrameSize, grid: MaskGrid)?

    mutating func grid(_ look: CameraLook, of size: FrameSize, cell: FrameSize, margin: Int = 0) -> MaskGrid {
        if let last, last.size == size, last.cell == cell, last.look == look { return last.grid }
        let grid = MaskGrid(look, of: size, cell: cell, margin: margin)
        last = (look, size, cell, grid)
        return grid
    }
}

extension Problem {
    fileprivate static func moved(by what: String, field: String) -> Problem {
        Problem(
            .configurationUnsupported,
            "The camera has a mask, and \(what) could move the picture under it.",
            remedy: "Change the camera together with the mask of its look, in tintyped.yaml.",
            field: field
        )
    }

    fileprivate static func otherProportions(_ size: FrameSize?, _ usual: FrameSize) -> Problem {
        let picture = size.map { "A picture of \($0) has" } ?? "Without a size pictures may have"
        return Problem(
            .configurationUnsupported,
            "\(picture) other proportions than \(usual), to which crop and mask of the look refer.",
            remedy: "Take a size with the proportions of \(usual), or change size and look in tintyped.yaml.",
            field: "size"
        )
    }

    /// Refuses a picture in which the area under a mask cannot be black for certain.
    package static let unjudgedOfMasked = Problem(
        .configurationUnsupported,
        "The camera has a mask, and a picture that is not examined could show what is under it.",
        remedy: "Ask for integrity strict, or leave integrity out.",
        field: "integrity"
    )

    package static let convertedOfMasked = Problem(
        .configurationUnsupported,
        "The camera has a mask, and its JPEG pictures must be turned by libv4lconvert, which moves what is under it.",
        remedy: "Choose another pixel format of the camera, or take the mask out of its look in tintyped.yaml."
    )
}
