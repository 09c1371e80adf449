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
        let chroma = FrameSize(
            width: (decoded.width + sampling.columns - 1) / sampling.columns,
            height: (decoded.height + sampling.rows - 1) / sampling.rows
        )
        for index in 0..<target.planeCount {
            let plane = unsafe target.plane(index)
            let isLuma = index == 0
            let size = isLuma ? decoded : chroma
            let columns = unsafe axis(isLuma, size, plane, target.sampling, isRow: true)
            let rows = unsafe axis(isLuma, size, plane, target.sampling, isRow: false)
            let scaler = PlaneScaler(columns: columns, rows: rows)
            unsafe scaler.draw(isLuma ? planes.luma : index == 1 ? planes.cb : planes.cr, into: plane)
        }
    }

    private func axis(
        _ isLuma: Bool,
        _ size: FrameSize,
        _ target: SamplePlane,
        _ targetSampling: ChromaSampling,
        isRow: Bool
    ) -> AxisTaps.Axis {
        let pixels = isLuma ? 1 : isRow ? sampling.columns : sampling.rows
        let resultPixels = isLuma ? 1 : isRow ? targetSampling.columns : targetSampling.rows
        return AxisTaps.Axis(
            sampleCount: isRow ? size.width : size.height,
            pixels: 8 * pixels,
            pixelDivisor: eighths,
            origin: isRow ? plan.region.left : plan.region.top,
            length: isRow ? plan.region.size.width : plan.region.size.height,
            resultLength: isRow ? plan.upright.width : plan.upright.height,
            resultPixels: resultPixels,
            resultCount: unsafe isRow ? target.width : target.height,
            isMirrored: isRow ? plan.orientation.mirrorsColumns : plan.orientation.mirrorsRows
        )
    }
}
