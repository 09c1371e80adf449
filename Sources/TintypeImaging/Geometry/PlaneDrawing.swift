// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Crops, orients and scales planes; if the region starts between chroma samples, chroma is interpolated.
struct PlaneDrawing {
    let plan: GeometryPlan
    /// Of the source planes.
    let sampling: ChromaSampling
    /// Scale at which the planes were decoded, in eighths.
    var eighths = 8

    static func decodedSize(_ size: FrameSize, eighths: Int) -> FrameSize {
        FrameSize(width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8)
    }

    private var resultSampling: ChromaSampling { plan.orientation.swapsAxes ? sampling.turned : sampling.drawn }

    /// `stage` is scratch memory.
    func draw(_ planes: PicturePlanes, into target: inout PlanarPicture, stage: inout PlanarPicture) {
        target.reset(to: plan.size, resultSampling)
        guard plan.orientation.swapsAxes else {
            unsafe drawUpright(planes, into: target)
            return
        }
        stage.reset(to: plan.upright, resultSampling.turned)
        unsafe drawUpright(planes, into: stage)
        for index in 0..<target.planeCount {
            unsafe RowKernels.transpose(stage.plane(index).source, into: target.plane(index))
        }
    }

    private func drawUpright(_ planes: PicturePlanes, into target: borrowing PlanarPicture) {
        let decoded = Self.decodedSize(plan.source, eighths: eighths)
        for index in 0..<target.planeCount {
            let plane = unsafe target.plane(index)
            // Luma is not subsampled.
            let (from, to) = index == 0 ? (ChromaSampling.full, ChromaSampling.full) : (sampling, target.sampling)
            let columns = AxisTaps.Axis(
                sampleCount: (decoded.width + from.columns - 1) / from.columns,
                pixels: 8 * from.columns,
                pixelDivisor: eighths,
                origin: plan.region.left,
                length: plan.region.size.width,
                resultLength: plan.upright.width,
                resultPixels: to.columns,
                resultCount: unsafe plane.width,
                isMirrored: plan.orientation.mirrorsColumns
            )
            let rows = AxisTaps.Axis(
                sampleCount: (decoded.height + from.rows - 1) / from.rows,
                pixels: 8 * from.rows,
                pixelDivisor: eighths,
                origin: plan.region.top,
                length: plan.region.size.height,
                resultLength: plan.upright.height,
                resultPixels: to.rows,
                resultCount: unsafe plane.height,
                isMirrored: plan.orientation.mirrorsRows
            )
            let source = unsafe index == 0 ? planes.luma : index == 1 ? planes.cb : planes.cr
            unsafe PlaneScaler(columns: columns, rows: rows).draw(source, into: plane)
        }
    }
}
