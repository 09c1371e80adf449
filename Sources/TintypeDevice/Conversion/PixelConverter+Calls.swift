// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension PixelConverter {
    /// True if libv4lconvert rotates pictures, by its camera table or the sensor orientation from the driver.
    ///
    /// Tested with a small picture with one white pixel.
    var turnsPictures: Bool {
        let side = 8
        var picture = [UInt8](repeating: 0, count: side * side * 3)
        for index in 0..<3 { picture[index] = 255 }
        var turned = [UInt8](repeating: 0, count: picture.count)
        let original = picture
        let layout = PictureLayout(
            pixelFormat: .rgb24,
            size: FrameSize(width: side, height: side),
            bytesPerRow: side * 3,
            color: .jfif
        )
        let isDone = unsafe picture.withUnsafeMutableBytes { from in
            unsafe turned.withUnsafeMutableBytes { to in unsafe call(layout, from, layout, to) }
        }
        return isDone && turned != original
    }

    /// Copies the frame without row padding, as libv4lconvert requires.
    func pack(_ frame: RawSpan) {
        let planes = source.planes
        let copy = unsafe input
        unsafe frame.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress, let to = copy.baseAddress else { return }
            var written = 0
            for plane in planes {
                for row in 0..<plane.rows {
                    unsafe memcpy(to + written, from + plane.start + row * plane.stride, plane.used)
                    written += plane.used
                }
            }
        }
    }

    /// Calls `v4lconvert_convert`; true if it filled the whole picture.
    func call(
        _ layout: PictureLayout,
        _ bytes: UnsafeMutableRawBufferPointer,
        _ result: PictureLayout,
        _ target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        // libv4lconvert has no NV21; as NV12 its chroma planes are swapped.
        var from = unsafe Self.format(layout, row: layout.minimumBytesPerRow ?? layout.size.width)
        if layout.pixelFormat == .nv21 { unsafe from.fmt.pix.pixelformat = FourCC.nv12.rawValue }
        var to = unsafe Self.format(result, row: result.bytesPerRow)
        if layout.pixelFormat == .nv21 { unsafe to.fmt.pix.pixelformat = FourCC.yu12.rawValue }
        let made = unsafe v4lconvert_convert(
            handle,
            &from,
            &to,
            bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
            CInt(bytes.count),
            target.assumingMemoryBound(to: UInt8.self).baseAddress,
            CInt(target.count)
        )
        return made == target.count
    }

    private static func format(_ layout: PictureLayout, row: Int) -> v4l2_format {
        var format = unsafe v4l2_format()
        unsafe format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        unsafe format.fmt.pix.width = UInt32(layout.size.width)
        unsafe format.fmt.pix.height = UInt32(layout.size.height)
        unsafe format.fmt.pix.pixelformat = layout.pixelFormat.rawValue
        unsafe format.fmt.pix.bytesperline = UInt32(row > 0 ? row : layout.size.width)
        unsafe format.fmt.pix.sizeimage = UInt32(layout.byteCount ?? 0)
        unsafe format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        return unsafe format
    }
}
