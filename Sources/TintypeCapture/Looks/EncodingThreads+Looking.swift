// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeImaging
internal import TintypeModel

/// Looking at frames: what they show.
extension EncodingThreads {
    /// Looks at a picture on one of the threads, remembers what it shows, and calls `completion` there.
    ///
    /// Returns at once.
    package func look(
        at picture: CapturedPicture,
        remembering looks: RecentLooks,
        completion: @escaping @Sendable (FrameLook) -> Void
    ) {
        submit(for: picture) { codecs in
            let statistics = try? codecs.statistics(of: picture)
            let digest = picture.withBytes { ByteDigest.of($0) }
            looks.record(RecentLooks.Look(key: picture.key, digest: digest, emptiness: statistics?.emptiness))
            completion(FrameLook(key: picture.key, stamp: picture.stamp, statistics: statistics))
        }
    }

    /// Takes a sample of a picture on one of the threads, and calls `completion` there: with nil of one that is damaged.
    ///
    /// Reads some fourteen thousand pixels of a raw picture, and the codes of a JPEG picture. Returns at once.
    package func sample(
        _ picture: CapturedPicture,
        completion: @escaping @Sendable (FrameStatistics?) -> Void
    ) {
        submit(for: picture) { codecs in
            let isWhole = picture.stamp.faults.isEmpty
            completion(isWhole ? try? codecs.statistics(of: picture, isWhole: true) : nil)
        }
    }
}

extension EncodingThreads.Codecs {
    /// What a captured picture shows, after a conversion where it needs one.
    ///
    /// Throws for a JPEG picture in which damage is found, where it has to be whole.
    mutating func statistics(
        of picture: CapturedPicture,
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

    /// What a frame looks like that may be worth nothing; of one that was looked at already, what is remembered.
    ///
    /// `looks` takes up this one. What was `made` of it is looked at in place of a frame that would have to be converted once
    /// more. Empty where it is none of them, or cannot be read.
    mutating func appearance(
        of picture: CapturedPicture,
        made: RenderedPicture,
        remembering looks: RecentLooks
    ) -> [Appearance] {
        let known = looks.look(at: picture.key)
        let digest = known?.digest ?? picture.withBytes { ByteDigest.of($0) }
        let emptiness = known?.emptiness ?? made.emptiness ?? emptiness(of: picture, made: made.jpeg)
        var appearance: [Appearance] = []
        if emptiness?.isBlack ?? false { appearance.append(.black) }
        if emptiness?.isUniform ?? false { appearance.append(.uniform) }
        let look = RecentLooks.Look(key: picture.key, digest: digest, emptiness: emptiness)
        if looks.record(look) ?? false { appearance.append(.frozen) }
        return appearance
    }

    private mutating func emptiness(of picture: CapturedPicture, made jpeg: [UInt8]) -> Emptiness? {
        if picture.layout.pixelFormat.isJPEG {
            return try? picture.withBytes { (bytes) throws(ImagingError) in try inspector.emptiness(of: bytes) }
        }
        guard picture.converter != nil else { return try? statistics(of: picture).emptiness }
        return try? inspector.emptiness(of: jpeg.rawSpan)
    }
}
