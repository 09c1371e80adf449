// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
internal import TintypeModel

extension JPEGDecoder {
    /// What libturbojpeg warns of when it decodes a whole picture; nil where it has no complaint.
    ///
    /// It reads every code and makes an eighth of the pixels, which needs no transform: the cheapest decode that there is.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` where it can make no picture at all, ``ImagingError/refused(_:)`` for a
    ///   progressive one of more than 16 megapixels, which is not looked at.
    package mutating func warning(about jpeg: RawSpan) throws(ImagingError) -> String? {
        try unsafe jpeg.withUnsafeBytes { bytes throws(ImagingError) in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = UInt(bytes.count)
            var (width, height, subsampling, colorspace) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let status = unsafe tjDecompressHeader3(handle, start, count, &width, &height, &subsampling, &colorspace)
            guard status == 0, width > 0, height > 0 else { return try judge(status) }
            let size = FrameSize(width: Int(width), height: Int(height))
            try Self.checkMemory(of: jpeg, size)
            let (columns, rows) = ((width + 7) / 8, (height + 7) / 8)
            var pixels = [UInt8](repeating: 0, count: Int(columns) * Int(rows))
            let outcome = unsafe pixels.withUnsafeMutableBufferPointer { target in
                unsafe tjDecompress2(
                    handle,
                    start,
                    count,
                    target.baseAddress,
                    columns,
                    0,
                    rows,
                    Int32(TJPF_GRAY.rawValue),
                    TJFLAG_LIMITSCANS
                )
            }
            return try judge(outcome)
        }
    }

    private func judge(_ outcome: Int32) throws(ImagingError) -> String? {
        guard outcome != 0 else { return nil }
        guard isWarning else { throw .notJPEG(message) }
        return message
    }
}
