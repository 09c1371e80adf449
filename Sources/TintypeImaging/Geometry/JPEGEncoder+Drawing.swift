// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

extension JPEGEncoder {
    /// Draws the part of a camera's raw picture that `plan` names, the way round and as large as it says.
    ///
    /// Everything happens in the planes that ``encode(_:layout:quality:)`` would compress: 4:2:0, and of planar pictures
    /// their own. Where a part begins inside the pixels that a chroma sample stands for (at an odd place), luma is that
    /// of the pixels asked for, and chroma the mean of the two samples that they lie between.
    ///
    /// - Parameters:
    ///   - picture: the bytes that the camera filled (`bytesused`); more than the layout needs is ignored.
    ///   - layout: how to read them.
    ///   - plan: what is wanted; its source is the size of the layout.
    ///   - target: becomes the result.
    /// - Throws: as ``encode(_:layout:quality:)``, and ``ImagingError/sizeMismatch(_:expected:)``.
    package mutating func draw(
        _ picture: RawSpan,
        layout: PictureLayout,
        plan: GeometryPlan,
        into target: inout PlanarPicture
    ) throws(ImagingError) {
        let arrangement = try Self.arrangement(of: layout, have: picture.byteCount)
        guard plan.source == layout.size else { throw .sizeMismatch(layout.size, expected: plan.source) }
        defer {
            split.trim()
            stage.trim()
        }
        try unsafe picture.withUnsafeBytes { bytes throws(ImagingError) in
            guard let start = bytes.baseAddress else { throw .short(have: 0, need: layout.byteCount ?? 0) }
            let planes: PicturePlanes
            if case .rgb(let order) = arrangement {
                try unsafe splitRGB(start, order: order, layout: layout)
                unsafe planes = unsafe split.source
            } else {
                unsafe planes = unsafe PlaneSplitter(layout, at: start).planes(arrangement, &scratch)
            }
            unsafe PlaneDrawing(plan, sampling: planes.sampling).draw(planes, into: &target, stage: &stage)
        }
    }

    /// Makes 4:2:0 planes of R, G and B, the same that `tjCompress2` makes.
    private mutating func splitRGB(
        _ rgb: UnsafeRawPointer,
        order: TJPF,
        layout: PictureLayout
    ) throws(ImagingError) {
        split.reset(to: layout.size, .quarter)
        var planes: [UnsafeMutablePointer<UInt8>?] = unsafe [nil, nil, nil]
        var strides: [Int32] = [0, 0, 0]
        for index in 0..<3 {
            let plane = unsafe split.plane(index)
            unsafe planes[index] = unsafe plane.start
            strides[index] = unsafe Int32(plane.stride)
        }
        let status = unsafe tjEncodeYUVPlanes(
            handle,
            rgb.assumingMemoryBound(to: UInt8.self),
            Int32(layout.size.width),
            Int32(layout.bytesPerRow),
            Int32(layout.size.height),
            Int32(order.rawValue),
            &planes,
            &strides,
            split.sampling.code,
            TJFLAG_ACCURATEDCT
        )
        guard status == 0 else { throw .encoder(unsafe String(cString: tjGetErrorStr2(handle))) }
    }
}
