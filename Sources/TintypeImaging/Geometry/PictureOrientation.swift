// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// One of the eight ways round that a picture can be put: each axis mirrored or not, and then both exchanged or not.
package struct PictureOrientation: Hashable, Sendable {
    /// Whether left and right change places, before the axes do.
    package var mirrorsColumns: Bool
    /// Whether top and bottom change places, before the axes do.
    package var mirrorsRows: Bool
    /// Whether rows become columns: what was at the top is at the left then.
    package var swapsAxes: Bool

    /// What a flip and then a clockwise turn make.
    package init(flip: Flip?, turn: Turn) {
        // A quarter clockwise brings the bottom row to the left, and so on.
        mirrorsColumns = turn == .half || turn == .threeQuarters
        mirrorsRows = turn == .half || turn == .quarter
        swapsAxes = turn.swapsSides
        switch flip {
        case .horizontal: mirrorsColumns.toggle()
        case .vertical: mirrorsRows.toggle()
        case nil: break
        }
    }

    /// Whether everything stays where it is.
    package var isIdentity: Bool { !mirrorsColumns && !mirrorsRows && !swapsAxes }

    /// The size of a picture that was put this way round.
    package func size(of size: FrameSize) -> FrameSize {
        swapsAxes ? FrameSize(width: size.height, height: size.width) : size
    }

    /// libturbojpeg's name for it (`TJXOP`).
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
