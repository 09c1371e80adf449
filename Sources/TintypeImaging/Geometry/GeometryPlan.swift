// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Crop, orientation and size of a still: a ``ImageOptions`` resolved for the size of the camera's picture.
package struct GeometryPlan: Hashable, Sendable {
    package let source: FrameSize
    package let region: CropRectangle
    package let orientation: PictureOrientation
    package let size: FrameSize
}

extension GeometryPlan {
    /// The options apply to the picture as the camera's look shows it.
    ///
    /// Throws ``ImagingError/refused(_:)`` for a crop that is not inside the picture, and for a picture whose
    /// proportions are not those of the look.
    package init(_ rendering: ImageOptions, _ look: CameraLook? = nil, of source: FrameSize) throws(ImagingError) {
        self.source = source
        let upright = look?.orientation ?? PictureOrientation(flip: nil, turn: .none)
        let shown = try look?.visiblePart(of: source) ?? CropRectangle(size: source, left: 0, top: 0)
        var asked = rendering.crop ?? CropRectangle(size: shown.size, left: 0, top: 0)
        guard asked.lies(within: shown.size) else {
            let whole = shown.size
            let wrong = "is \(asked), which does not lie inside the camera's picture of \(whole)."
            let remedy = "Give a part of \(whole): size, left and top in pixels of the picture before it is turned."
            throw .refused(.invalid(field: "crop", wrong, remedy: remedy))
        }
        asked.left += shown.left
        asked.top += shown.top
        region = upright.inverse.part(asked, of: upright.size(of: source))
        orientation = upright.followed(by: PictureOrientation(flip: rendering.flip, turn: rendering.turn))
        size = Self.fit(orientation.size(of: region.size), rendering.width, rendering.height)
    }

    /// Largest size with the proportions of `size` that exceeds neither the box nor `size`.
    ///
    /// The limiting side is exact; the other is rounded to the nearest integer, at least 1.
    static func fit(_ size: FrameSize, _ width: Int?, _ height: Int?) -> FrameSize {
        let (widest, highest) = (min(width ?? size.width, size.width), min(height ?? size.height, size.height))
        // Compares the ratios of both sides without division.
        if widest * size.height <= highest * size.width {
            let rows = (2 * size.height * widest + size.width) / (2 * size.width)
            return FrameSize(width: widest, height: min(max(1, rows), highest))
        }
        let columns = (2 * size.width * highest + size.height) / (2 * size.height)
        return FrameSize(width: min(max(1, columns), widest), height: highest)
    }

    /// True if the still is the unmodified camera picture.
    package var isIdentity: Bool { region.size == source && orientation.isIdentity && !isScaled }
    package var isScaled: Bool { orientation.size(of: region.size) != size }

    /// Before the axes are swapped.
    var upright: FrameSize { orientation.size(of: size) }

    /// Smallest scale at which the decoded picture has enough pixels; libjpeg has vector code for 1, 2, 4 and 8 only.
    var eighths: Int {
        [1, 2, 4].first { upright.width * 8 <= region.size.width * $0 && upright.height * 8 <= region.size.height * $0 }
            ?? 8
    }
}

extension CropRectangle {
    package func lies(within picture: FrameSize) -> Bool {
        size.width > 0 && size.height > 0 && left >= 0 && top >= 0
            && left + size.width <= picture.width && top + size.height <= picture.height
    }
}

/// The region that a lossless transform on the blocks of a JPEG gives.
///
/// It starts on a block boundary (MCU: 8 or 16 pixels per side, by chroma sampling); a mirrored one must also end on
/// one. It is extended on those sides. At the right and lower edges of the picture it cannot be extended: if such an
/// edge is mirrored, the pixels of an incomplete block are dropped.
struct LosslessPlan: Equatable {
    let region: CropRectangle
    let orientation: PictureOrientation

    /// Nil if lossless transforms cannot do it.
    init?(_ plan: GeometryPlan, of picture: JPEGHeader) {
        guard !plan.isScaled, let sampling = picture.sampling else { return nil }
        orientation = plan.orientation
        // A turned 4:1:1 has one chroma row for four of luma, which libturbojpeg writes but cannot read.
        guard sampling != .fourth || !orientation.swapsAxes else { return nil }
        let (asked, unit) = (plan.region, picture.unit)
        var columns = asked.left..<asked.left + asked.size.width
        columns = Self.extend(columns, by: unit.width, within: plan.source.width, orientation.mirrorsColumns)
        var rows = asked.top..<asked.top + asked.size.height
        rows = Self.extend(rows, by: unit.height, within: plan.source.height, orientation.mirrorsRows)
        // The region is entirely in an incomplete block at a mirrored edge.
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        let size = FrameSize(width: columns.count, height: rows.count)
        region = CropRectangle(size: size, left: columns.lowerBound, top: rows.lowerBound)
    }

    private static func extend(_ asked: Range<Int>, by unit: Int, within end: Int, _ isMirrored: Bool) -> Range<Int> {
        let start = asked.lowerBound / unit * unit
        guard isMirrored else { return start..<asked.upperBound }
        let stop = (asked.upperBound + unit - 1) / unit * unit
        return start..<max(start, stop <= end ? stop : end / unit * unit)
    }
}

/// One of eight orientations: each axis mirrored or not, then both swapped or not.
package struct PictureOrientation: Hashable, Sendable {
    /// Left and right, before the axes are swapped.
    package var mirrorsColumns: Bool
    /// Top and bottom, before the axes are swapped.
    package var mirrorsRows: Bool
    /// The top edge becomes the left one.
    package var swapsAxes: Bool

    /// A flip followed by a clockwise turn.
    package init(flip: Flip?, turn: Turn) {
        // 90 degrees clockwise: mirror top and bottom, then swap the axes.
        mirrorsColumns = turn == .half || turn == .threeQuarters
        mirrorsRows = turn == .half || turn == .quarter
        swapsAxes = turn.swapsSides
        switch flip {
        case .horizontal: mirrorsColumns.toggle()
        case .vertical: mirrorsRows.toggle()
        case nil: break
        }
    }

    /// This orientation, then `next`.
    package func followed(by next: PictureOrientation) -> PictureOrientation {
        var both = self
        both.mirrorsColumns = mirrorsColumns != (swapsAxes ? next.mirrorsRows : next.mirrorsColumns)
        both.mirrorsRows = mirrorsRows != (swapsAxes ? next.mirrorsColumns : next.mirrorsRows)
        both.swapsAxes = swapsAxes != next.swapsAxes
        return both
    }

    package var isIdentity: Bool { !mirrorsColumns && !mirrorsRows && !swapsAxes }

    package func size(of size: FrameSize) -> FrameSize {
        swapsAxes ? FrameSize(width: size.height, height: size.width) : size
    }

    /// The place of a part of a picture of `size` in the oriented picture.
    func part(_ part: CropRectangle, of size: FrameSize) -> CropRectangle {
        let left = mirrorsColumns ? size.width - part.left - part.size.width : part.left
        let top = mirrorsRows ? size.height - part.top - part.size.height : part.top
        let (across, down) = swapsAxes ? (top, left) : (left, top)
        return CropRectangle(size: self.size(of: part.size), left: across, top: down)
    }

    /// The orientation that undoes this one.
    var inverse: PictureOrientation {
        var inverse = self
        if swapsAxes { (inverse.mirrorsColumns, inverse.mirrorsRows) = (mirrorsRows, mirrorsColumns) }
        return inverse
    }

    var operation: TJXOP {
        let upright = [TJXOP_NONE, TJXOP_HFLIP, TJXOP_VFLIP, TJXOP_ROT180]
        let swapped = [TJXOP_TRANSPOSE, TJXOP_ROT270, TJXOP_ROT90, TJXOP_TRANSVERSE]
        return (swapsAxes ? swapped : upright)[(mirrorsColumns ? 1 : 0) + (mirrorsRows ? 2 : 0)]
    }
}
