// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

/// Makes pictures that the encoder can read out of one camera's frames, by libv4lconvert: another pixel format, and the
/// right way up where the camera is built in upside down.
///
/// One for each stream of a camera, made on its device thread and used elsewhere, by one thread at a time; it blocks for
/// as long as a frame takes. It calls no driver, ever: what libv4lconvert asks while it is made is answered from a
/// ``ConverterProfile``, and the only descriptor that it has is one that no ioctl can be made on (O_PATH of open(2)).
@safe package struct PixelConverter: ~Copyable {
    /// How the frames are to be read.
    package let source: PictureLayout
    /// How the pictures are to be read.
    package let result: PictureLayout
    let handle: OpaquePointer
    /// The frame as libv4lconvert takes it, which converts some formats in place.
    let input: UnsafeMutableRawBufferPointer
    let output: UnsafeMutableRawBufferPointer
    private let profile: ConverterProfile
    private let node: Descriptor?

    /// A converter for frames of this layout; nil where there is nothing to convert or to turn.
    ///
    /// Frames of a JPEG layout have to be decoded first: to R, G and B, a byte each, rows without padding.
    ///
    /// Reads sysfs. Throws ``DeviceError/unsupported(path:reason:)`` where libv4lconvert does not take them.
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
        // Zeros: libv4lconvert leaves the rest of a picture as it is where the format's blocks do not fill it.
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
        self.source = source
        self.result = result
        self.profile = profile
        node = name >= 0 ? Descriptor(name) : nil
    }

    deinit {
        unsafe v4lconvert_destroy(handle)
        unsafe free(input.baseAddress)
        unsafe free(output.baseAddress)
    }

    /// Converts a frame; ``withPicture(_:)`` gives what came of it, until the next call.
    ///
    /// - Parameter frame: the bytes that the camera filled (`bytesused`); nothing outside of them is read.
    /// - Throws: ``ConversionError``.
    package mutating func convert(_ frame: RawSpan) throws(ConversionError) {
        // libv4lconvert reads all of a picture, whatever it is told of the frame's length.
        let need = source.byteCount ?? 0
        guard frame.byteCount >= need else { throw .short(have: frame.byteCount, need: need) }
        pack(frame)
        guard unsafe call(source, input, result, output) else { throw .failed }
    }

    /// Calls `body` with the picture that the last ``convert(_:)`` made; rows without padding.
    package mutating func withPicture<R, E: Error>(
        _ body: (RawSpan, PictureLayout) throws(E) -> R
    ) throws(E) -> R {
        let bytes = unsafe UnsafeRawBufferPointer(output)
        return try unsafe body(bytes.bytes, result)
    }
}

// Reason for unchecked: the handle and the memory belong to this value alone, which cannot be copied, and libv4lconvert
// ties a handle to no thread.
extension PixelConverter: @unchecked Sendable {}

extension PictureLayout {
    /// The layout after JPEG was decoded.
    fileprivate var decoded: PictureLayout {
        PictureLayout(pixelFormat: .rgb24, size: size, bytesPerRow: 3 * size.width, color: .jfif)
    }

    /// The layout of what libv4lconvert makes of it; nil where it can make nothing of it.
    fileprivate var turned: PictureLayout? {
        let format: FourCC? =
            switch pixelFormat {
            case .rgb24, .bgr24, .xrgb32, .xbgr32: .rgb24
            case .yuyv, .uyvy, .yvyu, .nv12, .yu12, .grey: .yu12
            // NV21 is read as NV12, which swaps the chroma planes.
            case .nv21, .yv12: .yv12
            default: pixelFormat.conversion?.result
            }
        guard let format, size.width.isMultiple(of: 2), size.height.isMultiple(of: 2),
            min(size.width, size.height) >= ConvertedFormat.sides.lowerBound
        else { return nil }
        // What the library decodes to RGB has the full range.
        let range = format == .rgb24 && pixelFormat.isConverted ? ColorEncoding.jfif : color
        var layout = PictureLayout(pixelFormat: format, size: size, bytesPerRow: 0, color: range)
        layout.bytesPerRow = layout.minimumBytesPerRow ?? 0
        return layout
    }
}

/// Why a frame was not converted.
package enum ConversionError: Error, Hashable, Sendable {
    /// The frame has fewer bytes than its layout needs; libv4lconvert was not called.
    case short(have: Int, need: Int)
    /// libv4lconvert made no picture of the frame: of one that has all of its bytes, it had no memory.
    case failed
}
