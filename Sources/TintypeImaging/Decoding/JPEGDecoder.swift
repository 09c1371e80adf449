// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// Decodes JPEG pictures to pixels with libturbojpeg; not thread-safe, blocks.
///
/// Throws ``ImagingError/notJPEG(_:)`` with libjpeg's message, and ``ImagingError/refused(_:)`` for pictures that take
/// too much memory, such as progressive ones of more than 16 megapixels. Ignores bytes after EOI. Sendable: it owns its
/// handle, and libturbojpeg handles are not bound to a thread.
@safe package struct JPEGDecoder: ~Copyable, @unchecked Sendable {
    /// So that a header alone cannot make us allocate gigabytes.
    package static let largestArea = 1 << 28

    private var turbo = unsafe TurboHandle(tjInitDecompress)

    package init() {}

    package var isMade: Bool { turbo.isMade }

    /// One byte per pixel, rows without padding; ignores damage that libjpeg recovers from.
    ///
    /// Throws as the type's documentation says, and ``ImagingError/encoder(_:)`` if out of memory.
    package mutating func decodeLuma(_ jpeg: RawSpan) throws(ImagingError) -> (size: FrameSize, luma: [UInt8]) {
        let (size, pixels, _) = try decode(jpeg, to: TJPF_GRAY)
        return (size, pixels)
    }

    /// Like ``decodeLuma(_:)``, to R, G, B: three bytes per pixel.
    package mutating func decodeRGB(_ jpeg: RawSpan) throws(ImagingError) -> (size: FrameSize, rgb: [UInt8]) {
        let (size, pixels, _) = try decode(jpeg, to: TJPF_RGB)
        return (size, pixels)
    }

    /// Decodes at 1/8 size and returns libturbojpeg's warning, if any.
    package mutating func warning(about jpeg: RawSpan) throws(ImagingError) -> String? {
        try decode(jpeg, to: TJPF_GRAY, isEighth: true).warning
    }

    /// Ignores damage that libjpeg recovers from.
    mutating func statistics(of jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        let (size, pixels, _) = try decode(jpeg, to: TJPF_RGB, isEighth: true)
        var sampler = FrameSampler(width: size.width, height: size.height)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let at = (row * size.width + column) * 3
                sampler.add(column, row, red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
            }
        }
        return FrameStatistics(sampler)
    }

    /// Decodes as far as possible, and returns libjpeg's warning, if any; throws like ``decodeRGB(_:)``.
    ///
    /// With `isEighth`, columns and rows are scaled by 1/8, rounded up: the DC value of each block, without an inverse
    /// DCT. At most 500 scans are read then (TJFLAG_LIMITSCANS).
    private mutating func decode(
        _ jpeg: RawSpan,
        to format: TJPF,
        isEighth: Bool = false
    ) throws(ImagingError) -> (size: FrameSize, pixels: [UInt8], warning: String?) {
        // A new handle: libjpeg keeps the tables of a picture, and decodes the next one that lacks its own with them.
        unsafe turbo = TurboHandle(tjInitDecompress)
        return try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = UInt(bytes.count)
            let handle = try unsafe turbo.get()
            var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let header = unsafe tjDecompressHeader3(handle, start, count, &width, &height, &subsampling, &colorspace)
            var warning = try turbo.warning(of: header)
            guard width > 0, height > 0 else { throw .notJPEG(turbo.giveUp()) }
            try Self.checkMemory(of: jpeg, FrameSize(width: Int(width), height: Int(height)))
            if isEighth { (width, height) = ((width + 7) / 8, (height + 7) / 8) }
            let size = FrameSize(width: Int(width), height: Int(height))
            // A warning may leave part of the buffer unfilled: grey for means, as libjpeg has for lost data.
            let byteCount = size.area * (format == TJPF_GRAY ? 1 : 3)
            var pixels = [UInt8](repeating: isEighth ? 128 : 0, count: byteCount)
            let (kind, flags) = (Int32(format.rawValue), isEighth ? TJFLAG_LIMITSCANS : 0)
            let status = unsafe tjDecompress2(handle, start, count, &pixels, width, 0, height, kind, flags)
            warning = try turbo.warning(of: status) ?? warning
            return (size, pixels, warning)
        }
    }
}

extension JPEGDecoder {
    /// Pixels of a picture that libjpeg cannot decode row by row.
    private static let largestBufferedArea = 16_000_000

    /// Reads the headers up to the first scan; the picture may be truncated after that.
    ///
    /// Throws ``ImagingError/refused(_:)`` if decoding takes too much memory at any scale, ``ImagingError/notJPEG(_:)``
    /// (also for a size that no camera has) or ``ImagingError/truncated``.
    static func checkedHeader(of jpeg: RawSpan) throws(ImagingError) -> JPEGHeader {
        var walk = try JPEGWalk(jpeg)
        while true {
            let segment = try walk.next()
            guard segment.marker == .startOfScan || segment.marker == .endOfImage else { continue }
            guard let header = walk.frame, segment.payload.byteCount > 0 else { throw .notJPEG("it has no scan (SOS)") }
            try checkArea(of: header.size)
            // If the first scan is not the whole picture, libjpeg buffers all coefficients: at least 3 bytes per pixel.
            let isBuffered = header.isProgressive || Int(segment.payload.byte(at: 0)) < header.componentCount
            guard isBuffered, header.size.area > largestBufferedArea else { return header }
            let kind = header.isProgressive ? "is progressive" : "has its colours in separate scans"
            let tenths = (header.size.area + 50_000) / 100_000
            let problem = Problem(
                .configurationUnsupported,
                "The JPEG picture \(kind) and has \(tenths / 10).\(tenths % 10) megapixels (\(header.size)), more than "
                    + "the \(largestBufferedArea / 1_000_000) up to which one of its kind is decoded.",
                remedy: "Take the picture as it is, with integrity tolerant, or have the camera deliver a smaller or a "
                    + "baseline one."
            )
            throw .refused(problem)
        }
    }

    /// Like ``checkedHeader(of:)``, with the size read by libturbojpeg; reads the headers of large pictures only.
    static func checkMemory(of jpeg: RawSpan, _ size: FrameSize) throws(ImagingError) {
        try checkArea(of: size)
        if size.area > largestBufferedArea { _ = try checkedHeader(of: jpeg) }
    }

    private static func checkArea(of size: FrameSize) throws(ImagingError) {
        guard size.area <= largestArea else {
            throw .notJPEG("\(size) is more than the \(largestArea) pixels that we decode")
        }
    }
}

/// libturbojpeg handle, created on first use and reused until a fatal error; not thread-safe.
@safe struct TurboHandle: ~Copyable {
    private let make: () -> tjhandle?
    private var made: tjhandle?

    init(_ make: @escaping () -> tjhandle?) {
        unsafe self.make = unsafe make
        unsafe made = nil
    }

    deinit { if let made = unsafe made { unsafe _ = tjDestroy(made) } }

    var isMade: Bool { unsafe made != nil }

    /// Throws ``ImagingError/encoder(_:)`` if out of memory.
    mutating func get() throws(ImagingError) -> tjhandle {
        if let made = unsafe made { return unsafe made }
        guard let handle = unsafe make() else { throw .encoder(unsafe String(cString: tjGetErrorStr2(nil))) }
        unsafe made = unsafe handle
        return unsafe handle
    }

    /// Warning of libjpeg, which it continued after; throws ``ImagingError/notJPEG(_:)`` for a fatal error.
    mutating func warning(of status: Int32) throws(ImagingError) -> String? {
        guard status != 0 else { return nil }
        guard unsafe tjGetErrorCode(made) == Int32(TJERR_WARNING.rawValue) else { throw .notJPEG(giveUp()) }
        return message
    }

    /// Destroys the handle and returns libturbojpeg's message.
    mutating func giveUp() -> String {
        defer {
            if let made = unsafe made { unsafe _ = tjDestroy(made) }
            unsafe made = nil
        }
        return message
    }

    private var message: String { unsafe String(cString: tjGetErrorStr2(made)) }
}
