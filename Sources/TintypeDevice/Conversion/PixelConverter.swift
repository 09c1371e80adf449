// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

/// Converts a camera's frames with libv4lconvert: to a format the encoder can read, and upright if built in upside
/// down.
///
/// One per stream, created on the device thread, then used by one thread at a time; blocks. It never calls the driver:
/// a ``ConverterProfile`` answers libv4lconvert's queries, and its only descriptor is opened with O_PATH (open(2)),
/// which rejects ioctls. Sendable: it owns its handle and memory, and libv4lconvert handles are not bound to a thread.
@safe package struct PixelConverter: ~Copyable, @unchecked Sendable {
    package let source: PictureLayout
    package let result: PictureLayout
    let handle: OpaquePointer
    /// Copy of the frame; libv4lconvert converts some formats in place.
    let input: UnsafeMutableRawBufferPointer
    let output: UnsafeMutableRawBufferPointer
    private let profile: ConverterProfile
    private let node: Descriptor?

    /// Nil if no conversion or rotation is needed.
    ///
    /// For a JPEG layout, frames must be decoded first to 8-bit R, G, B, rows without padding. Reads sysfs. Throws
    /// ``DeviceError/unsupported(path:reason:)`` if libv4lconvert does not accept them.
    package static func make(
        for layout: PictureLayout,
        profile: ConverterProfile
    ) throws(DeviceError) -> sending PixelConverter? {
        let source = layout.pixelFormat.isJPEG ? layout.decoded : layout.whole
        let isConverted = source.pixelFormat.isConverted
        if let objection = source.pixelFormat.conversion?.objection(to: source.size) {
            throw .unsupported(path: profile.name, reason: objection)
        }
        guard let result = source.turned else { return nil }
        guard let converter = PixelConverter(source, result, profile) else {
            throw .unsupported(path: profile.name, reason: "libv4lconvert cannot be used: there is no memory for it.")
        }
        guard isConverted || converter.turnsPictures else { return nil }
        return converter
    }

    private init?(_ source: PictureLayout, _ result: PictureLayout, _ profile: ConverterProfile) {
        let name = profile.path.map { path in unsafe path.withCString { unsafe cv4l2_open_name($0) } } ?? -1
        let context = unsafe Unmanaged.passUnretained(profile).toOpaque()
        let created = unsafe v4lconvert_create_with_dev_ops(name, context, ConverterProfile.operations)
        profile.forgetSharedMemory()
        let frameCount = source.planes.reduce(0) { $0 + $1.used * $1.rows }
        let pictureCount = result.byteCount ?? 0
        // Zeroed: libv4lconvert leaves parts of the picture untouched that the format's blocks do not cover.
        let frame = unsafe calloc(frameCount, 1)
        let picture = unsafe calloc(pictureCount, 1)
        guard let handle = unsafe created, unsafe frame != nil, unsafe picture != nil else {
            unsafe v4lconvert_destroy(created)
            unsafe free(frame)
            unsafe free(picture)
            if name >= 0 { close(name) }
            return nil
        }
        unsafe self.handle = unsafe handle
        unsafe input = UnsafeMutableRawBufferPointer(start: frame, count: frameCount)
        unsafe output = UnsafeMutableRawBufferPointer(start: picture, count: pictureCount)
        (self.source, self.result, self.profile) = (source, result, profile)
        node = name >= 0 ? Descriptor(name) : nil
    }

    deinit {
        unsafe v4lconvert_destroy(handle)
        unsafe free(input.baseAddress)
        unsafe free(output.baseAddress)
    }

    /// Converts a frame, the buffer up to `bytesused`; ``withPicture(_:)`` has the result until the next call.
    package mutating func convert(_ frame: RawSpan) throws(ConversionError) {
        // libv4lconvert reads a whole picture regardless of the frame's length.
        let need = source.byteCount ?? 0
        guard frame.byteCount >= need else { throw .short(have: frame.byteCount, need: need) }
        pack(frame)
        guard unsafe call(source, input, result, output) else { throw .failed }
    }

    /// Calls `body` with the result of the last ``convert(_:)``, rows without padding.
    package mutating func withPicture<R, E: Error>(_ body: (RawSpan, PictureLayout) throws(E) -> R) throws(E) -> R {
        let bytes = unsafe UnsafeRawBufferPointer(output)
        return try unsafe body(bytes.bytes, result)
    }

    /// True if libv4lconvert rotates pictures, by its camera table or the driver's sensor orientation.
    ///
    /// Tested with a small picture with one white pixel.
    var turnsPictures: Bool {
        let side = 8
        let original = [255, 255, 255] + [UInt8](repeating: 0, count: side * side * 3 - 3)
        var (picture, turned) = (original, [UInt8](repeating: 0, count: original.count))
        let size = FrameSize(width: side, height: side)
        let layout = PictureLayout(pixelFormat: .rgb24, size: size, bytesPerRow: side * 3, color: .jfif)
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

    /// True if `v4lconvert_convert` filled the whole picture.
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

extension PictureLayout {
    fileprivate var decoded: PictureLayout {
        PictureLayout(pixelFormat: .rgb24, size: size, bytesPerRow: 3 * size.width, color: .jfif)
    }

    /// Layout of libv4lconvert's output; nil if it cannot convert this one.
    fileprivate var turned: PictureLayout? {
        let format: FourCC? =
            switch pixelFormat {
            case .rgb24, .bgr24, .xrgb32, .xbgr32: .rgb24
            case .yuyv, .uyvy, .yvyu, .nv12, .yu12, .grey: .yu12
            // NV21 is passed as NV12, which swaps the chroma planes.
            case .nv21, .yv12: .yv12
            default: pixelFormat.conversion?.result
            }
        guard let format, size.width.isMultiple(of: 2), size.height.isMultiple(of: 2),
            min(size.width, size.height) >= ConvertedFormat.sides.lowerBound
        else { return nil }
        // libv4lconvert decodes to full-range RGB.
        let range = format == .rgb24 && pixelFormat.isConverted ? ColorEncoding.jfif : color
        var layout = PictureLayout(pixelFormat: format, size: size, bytesPerRow: 0, color: range)
        layout.bytesPerRow = layout.minimumBytesPerRow ?? 0
        return layout
    }
}

package enum ConversionError: Error, Hashable, Sendable {
    case short(have: Int, need: Int)
    /// libv4lconvert failed; for a frame with all its bytes, it was out of memory.
    case failed
}
