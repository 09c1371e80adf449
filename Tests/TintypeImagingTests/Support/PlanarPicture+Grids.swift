// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import TintypeModel

@testable internal import TintypeImaging

extension PlanarPicture {
    /// A plane with its padding.
    func grid(_ index: Int) -> Grid {
        let plane = unsafe plane(index)
        let (width, height) = unsafe (plane.width, plane.height)
        return Grid(width: width, height: height) { x, y in unsafe plane.row(y)[x] }
    }
}

/// A raw picture of three planes, or of one, without padding between its rows.
struct PlanarBytes {
    let layout: PictureLayout
    let planes: [Grid]
    var bytes: [UInt8] { planes.flatMap(\.samples) }

    /// Noise in a planar format.
    init(_ format: FourCC, _ width: Int, _ height: Int, seed: UInt64) {
        layout = PictureLayout(format, FrameSize(width: width, height: height))
        let rows = format == .yuv422p ? height : (height + 1) / 2
        let chroma = format == .grey ? [] : [1, 2].map { Grid.random((width + 1) / 2, rows, seed: seed + $0) }
        planes = [Grid.random(width, height, seed: seed)] + chroma
    }
}
