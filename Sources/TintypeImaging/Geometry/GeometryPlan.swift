// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Which part of a picture becomes a still, which way round and how large: a ``StillRendering`` once the size of the
/// camera's picture is known.
package struct GeometryPlan: Hashable, Sendable {
    /// The size of the camera's picture.
    package let source: FrameSize
    /// The part of it.
    package let region: CropRectangle
    /// Which way round the part is put.
    package let orientation: PictureOrientation
    /// The size of the still.
    package let size: FrameSize
}

extension GeometryPlan {
    /// What `rendering` makes of a picture of the size `source`.
    ///
    /// - Throws: ``ImagingError/refused(_:)`` for a crop that does not lie inside the picture.
    package init(_ rendering: StillRendering, of source: FrameSize) throws(ImagingError) {
        self.source = source
        region = rendering.crop ?? CropRectangle(size: source, left: 0, top: 0)
        orientation = PictureOrientation(flip: rendering.flip, turn: rendering.turn)
        guard region.lies(within: source) else { throw .refused(.outside(region, of: source)) }
        size = Self.fit(orientation.size(of: region.size), rendering.width, rendering.height)
    }

    /// The size of a picture that neither exceeds the box nor itself, with its proportions: one side is that of the
    /// box, the other the nearest whole number, at least 1.
    static func fit(_ size: FrameSize, _ width: Int?, _ height: Int?) -> FrameSize {
        let box = FrameSize(
            width: min(width ?? size.width, size.width),
            height: min(height ?? size.height, size.height)
        )
        guard box != size else { return size }
        // Which of the two sides decides: a / b < c / d without a division.
        if box.width * size.height <= box.height * size.width {
            let rows = (2 * size.height * box.width + size.width) / (2 * size.width)
            return FrameSize(width: box.width, height: min(max(1, rows), box.height))
        }
        let columns = (2 * size.width * box.height + size.height) / (2 * size.height)
        return FrameSize(width: min(max(1, columns), box.width), height: box.height)
    }

    /// Whether the still is the camera's picture as it is.
    package var isIdentity: Bool { region.size == source && orientation.isIdentity && !isScaled }

    /// Whether the part is made smaller.
    package var isScaled: Bool { orientation.size(of: region.size) != size }

    /// The size of the still before its axes are exchanged.
    var upright: FrameSize { orientation.size(of: size) }

    /// The least of 1, 2, 4 and 8 eighths that the camera's picture can be decoded at without the still needing more
    /// pixels than that.
    ///
    /// libjpeg has vector code for just these.
    var eighths: Int {
        [1, 2, 4].first { upright.width * 8 <= region.size.width * $0 && upright.height * 8 <= region.size.height * $0 }
            ?? 8
    }
}

extension CropRectangle {
    /// Whether it lies inside a picture of this size.
    func lies(within picture: FrameSize) -> Bool {
        size.width > 0 && size.height > 0 && left >= 0 && top >= 0
            && left + size.width <= picture.width && top + size.height <= picture.height
    }
}

extension Problem {
    fileprivate static func outside(_ region: CropRectangle, of picture: FrameSize) -> Problem {
        .invalid(
            field: "crop",
            "is \(region), which does not lie inside the camera's picture of \(picture).",
            remedy: "Give a part of \(picture): size, left and top in pixels of the picture before it is turned."
        )
    }
}

/// What of a ``GeometryPlan`` can be done to the blocks of a JPEG picture as they are, and which part of it that takes.
///
/// A part begins on a whole block (MCU: 8 or 16 pixels a side, as the chroma is sampled), and where it is mirrored it
/// also ends on one. So it grows on those sides until it does. Only at the right and the lower edge of the camera's
/// picture there is nothing to grow into: where that edge is mirrored, the pixels of an incomplete block are left out.
struct LosslessPlan: Equatable {
    /// The part of the picture.
    let region: CropRectangle
    let orientation: PictureOrientation

    /// A plan for a picture of this kind; nil where its blocks cannot be kept as they are.
    init?(_ plan: GeometryPlan, of picture: JPEGHeader) {
        guard !plan.isScaled, let sampling = picture.sampling else { return nil }
        orientation = plan.orientation
        // 1:4 in rows, which libturbojpeg would write and not read.
        guard sampling != .fourth || !orientation.swapsAxes else { return nil }
        let (asked, unit) = (plan.region, picture.unit)
        let columns = Self.extend(
            asked.left..<asked.left + asked.size.width,
            by: unit.width,
            within: plan.source.width,
            isMirrored: orientation.mirrorsColumns
        )
        let rows = Self.extend(
            asked.top..<asked.top + asked.size.height,
            by: unit.height,
            within: plan.source.height,
            isMirrored: orientation.mirrorsRows
        )
        // A part that lies in an incomplete block at the edge alone.
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        let size = FrameSize(width: columns.count, height: rows.count)
        region = CropRectangle(size: size, left: columns.lowerBound, top: rows.lowerBound)
    }

    private static func extend(_ asked: Range<Int>, by unit: Int, within end: Int, isMirrored: Bool) -> Range<Int> {
        let start = asked.lowerBound / unit * unit
        guard isMirrored else { return start..<asked.upperBound }
        let stop = (asked.upperBound + unit - 1) / unit * unit
        return start..<max(start, stop <= end ? stop : end / unit * unit)
    }
}
