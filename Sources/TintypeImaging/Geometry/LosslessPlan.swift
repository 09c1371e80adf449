// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

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
