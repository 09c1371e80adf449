// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
internal import TintypeModel

/// What a decode at an eighth of the size tells: the cheapest that there is.
extension JPEGDecoder {
    /// What libturbojpeg warns of when it decodes a whole picture; nil where it has no complaint.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` where it can make no picture at all, ``ImagingError/refused(_:)`` for a
    ///   progressive one of more than 16 megapixels, which is not looked at.
    package mutating func warning(about jpeg: RawSpan) throws(ImagingError) -> String? {
        try decode(jpeg, to: TJPF_GRAY, channels: 1, isEighth: true).warning
    }

    /// The numbers of a picture; damage that libjpeg can go on after is no matter here.
    ///
    /// - Throws: as ``warning(about:)``.
    mutating func statistics(of jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        let (size, pixels, _) = try decode(jpeg, to: TJPF_RGB, channels: 3, isEighth: true)
        var sampler = FrameSampler(width: size.width, height: size.height)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let at = (row * size.width + column) * 3
                sampler.add(column, row, red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
            }
        }
        return FrameStatistics(sampler)
    }
}
