// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension PixelConverter {
    /// What a decoder that goes on behind a frame's end finds there.
    enum Surroundings {
        case zeros
        case noise
    }

    /// Whether pictures come out turned, by its table of cameras or by what the driver says of the sensor: seen from a
    /// small picture with one white pixel.
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

    /// Converts once.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - surroundings: what lies behind it.
    /// - Throws: ``ConversionError``.
    mutating func convert(_ frame: RawSpan, surroundings: Surroundings) throws(ConversionError) {
        let target = unsafe try output.reserve(result.byteCount ?? 0)
        let bytes = unsafe try packed(frame, surroundings)
        guard unsafe !call(source, bytes, result, target) else { return }
        let message = unsafe v4lconvert_get_error_message(handle)
        let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
        let words = text.split(separator: "\n").first.map(String.init) ?? "libv4lconvert does not say why"
        throw .damaged(words.hasPrefix(Self.prefix) ? String(words.dropFirst(Self.prefix.count)) : words)
    }

    private static let prefix = "v4l-convert: error "

    /// A copy of the frame as libv4lconvert takes it.
    ///
    /// Rows have no padding, and behind a compressed frame is room for decoders that do not watch where it ends. A copy in
    /// any case, since some formats are converted in place.
    private mutating func packed(
        _ frame: RawSpan,
        _ surroundings: Surroundings
    ) throws(ConversionError) -> UnsafeMutableRawBufferPointer {
        guard let need = source.byteCount else { return unsafe try padded(frame, surroundings) }
        guard frame.byteCount >= need else { throw .short(have: frame.byteCount, need: need) }
        let planes = source.planes
        let total = planes.reduce(0) { $0 + $1.used * $1.rows }
        let copy = unsafe try input.reserve(total)
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
        return unsafe copy
    }

    private mutating func padded(
        _ frame: RawSpan,
        _ surroundings: Surroundings
    ) throws(ConversionError) -> UnsafeMutableRawBufferPointer {
        let (count, most) = (frame.byteCount, 4 * source.size.area + 65_536)
        guard count > 0, count <= most else {
            throw .damaged("it has \(count) bytes where \(source.size) takes 1 to \(most)")
        }
        // No decoder takes more than four bytes a pixel.
        let copy = unsafe try input.reserve(count + most)
        unsafe frame.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress, let to = copy.baseAddress else { return }
            unsafe memcpy(to, from, count)
            unsafe memset(to + count, 0, most)
            guard surroundings == .noise else { return }
            for offset in 0..<most {
                unsafe to.storeBytes(
                    of: UInt8(truncatingIfNeeded: offset &* 157 &+ offset >> 7 &+ 91),
                    toByteOffset: count + offset,
                    as: UInt8.self
                )
            }
        }
        return unsafe UnsafeMutableRawBufferPointer(rebasing: copy[..<count])
    }

    /// Calls `v4lconvert_convert`; whether it filled the whole picture.
    private func call(
        _ layout: PictureLayout,
        _ bytes: UnsafeMutableRawBufferPointer,
        _ result: PictureLayout,
        _ target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        // Compressed formats are decoded to Bayer rows of a byte a pixel; NV21 is NV12 to it.
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
