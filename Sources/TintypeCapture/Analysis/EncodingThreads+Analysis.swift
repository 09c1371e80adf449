// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeImaging
internal import TintypeModel

extension EncodingThreads {
    /// Analyses a picture on one of the threads, stores the result in `cache` and calls `completion` there.
    package func analyse(
        _ picture: Frame,
        remembering cache: AnalysisCache,
        completion: @escaping @Sendable (FrameAnalysis) -> Void
    ) {
        submit(for: picture) { codecs in
            let statistics = try? codecs.statistics(of: picture)
            let digest = picture.withBytes { ByteDigest.of($0) }
            cache.record(AnalysisCache.Entry(key: picture.key, digest: digest, emptiness: statistics?.emptiness))
            completion(FrameAnalysis(key: picture.key, stamp: picture.stamp, statistics: statistics))
        }
    }

    /// Samples a picture on one of the threads and calls `completion` there, with nil for a damaged picture.
    ///
    /// Reads some 14,000 pixels of a raw picture, or the entropy-coded data of a JPEG picture. Returns at once.
    package func sample(_ picture: Frame, completion: @escaping @Sendable (FrameStatistics?) -> Void) {
        submit(for: picture) { codecs in
            let isWhole = picture.stamp.faults.isEmpty
            completion(isWhole ? try? codecs.statistics(of: picture, isWhole: true) : nil)
        }
    }
}

extension EncodingThreads.Codecs {
    /// Luma statistics of a captured picture, converted if required; throws for a damaged JPEG picture if `isWhole`.
    mutating func statistics(
        of picture: Frame,
        isWhole: Bool = false
    ) throws(ImagingError) -> FrameStatistics {
        try picture.withBytes { (bytes) throws(ImagingError) in
            if picture.layout.pixelFormat.isJPEG {
                return try isWhole ? inspector.statistics(ofWhole: bytes) : inspector.statistics(of: bytes)
            }
            guard let converter = picture.converter else {
                return try FrameStatistics(bytes, layout: picture.layout.stored)
            }
            return try picture.withWhole(bytes) { (bytes, _) throws(ImagingError) in
                try converter.convert(bytes) { (bytes, layout) throws(ImagingError) in
                    try FrameStatistics(bytes, layout: layout)
                }
            }
        }
    }

    /// Detects a black, uniform or frozen picture; reuses the cached analysis of a frame analysed before.
    ///
    /// Stores the analysis in `cache`. Analyses the encoded picture `made` if the frame would need another conversion.
    /// Empty if nothing is detected or the picture is unreadable.
    mutating func defects(
        of picture: Frame,
        made: EncodedImage,
        remembering cache: AnalysisCache
    ) -> [ImageDefect] {
        let known = cache.entry(picture.key)
        let digest = known?.digest ?? picture.withBytes { ByteDigest.of($0) }
        let emptiness = known?.emptiness ?? made.emptiness ?? emptiness(of: picture, made: made.jpeg)
        var defects: [ImageDefect] = []
        if emptiness?.isBlack ?? false { defects.append(.black) }
        if emptiness?.isUniform ?? false { defects.append(.uniform) }
        let entry = AnalysisCache.Entry(key: picture.key, digest: digest, emptiness: emptiness)
        if cache.record(entry) ?? false { defects.append(.frozen) }
        return defects
    }

    private mutating func emptiness(of picture: Frame, made jpeg: [UInt8]) -> BlankCheck? {
        if picture.layout.pixelFormat.isJPEG {
            return try? picture.withBytes { (bytes) throws(ImagingError) in try inspector.emptiness(of: bytes) }
        }
        guard picture.converter != nil else { return try? statistics(of: picture).emptiness }
        return try? inspector.emptiness(of: jpeg.rawSpan)
    }
}
