// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

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
        switch (swapsAxes, mirrorsColumns, mirrorsRows) {
        case (false, false, false): TJXOP_NONE
        case (false, true, false): TJXOP_HFLIP
        case (false, false, true): TJXOP_VFLIP
        case (false, true, true): TJXOP_ROT180
        case (true, false, false): TJXOP_TRANSPOSE
        case (true, false, true): TJXOP_ROT90
        case (true, true, false): TJXOP_ROT270
        case (true, true, true): TJXOP_TRANSVERSE
        }
    }
}
