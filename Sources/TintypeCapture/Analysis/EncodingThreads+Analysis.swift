// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Properties of a frame that alarms compare.
struct AlarmSample: Hashable, Sendable {
    let digest: UInt64
    let emptiness: BlankCheck
}

extension Frame {
    /// Digest of the bytes as delivered by the driver, by which a frozen picture is known.
    fileprivate var digest: UInt64 {
        withBytes { layout.pixelFormat.isJPEG ? ByteDigest.ofJPEG($0) : ByteDigest.of($0) }
    }
}

extension EncodingThreads.Codecs {
    /// Statistics for settling; the analysis is also stored in `cache`.
    mutating func analyse(_ picture: Frame, remembering cache: AnalysisCache) -> FrameAnalysis {
        let statistics = try? statistics(of: picture)
        let entry = AnalysisCache.Entry(key: picture.key, digest: picture.digest, emptiness: statistics?.emptiness)
        cache.record(entry)
        return FrameAnalysis(stamp: picture.stamp, statistics: statistics)
    }

    /// Nil for a damaged picture; some 14,000 pixels of a raw picture, or the entropy-coded data of a JPEG picture.
    mutating func motionSample(of picture: Frame) -> FrameStatistics? {
        picture.stamp.faults.isEmpty ? try? statistics(of: picture, isWhole: true) : nil
    }

    /// Luma statistics of a captured picture, converted if required; throws for a damaged JPEG picture if `isWhole`.
    mutating func statistics(of picture: Frame, isWhole: Bool = false) throws(ImagingError) -> FrameStatistics {
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

    /// Detects a black, uniform or frozen picture, with the analysis in `cache`, of the frame or of `made` if the frame
    /// needs another conversion; empty for an unreadable picture.
    mutating func defects(of picture: Frame, made: EncodedImage, remembering cache: AnalysisCache) -> [ImageDefect] {
        let known = cache.entry(picture.key)
        let digest = known?.digest ?? picture.digest
        let emptiness = known?.emptiness ?? made.emptiness ?? emptiness(of: picture, made: made.jpeg)
        var defects: [ImageDefect] = []
        if emptiness?.isBlack ?? false { defects.append(.black) }
        if emptiness?.isUniform ?? false { defects.append(.uniform) }
        let entry = AnalysisCache.Entry(key: picture.key, digest: digest, emptiness: emptiness)
        if cache.record(entry) ?? false { defects.append(.frozen) }
        return defects
    }

    /// Nil for a damaged picture, but not for faults that leave it readable and that some cameras always have.
    mutating func alarmSample(of picture: Frame) -> AlarmSample? {
        if picture.layout.pixelFormat.isJPEG {
            let size = picture.layout.size
            let seen = picture.withBytes { JPEGInspection($0, expected: size, depth: .segments, with: &inspector) }
            guard seen.faults.isEmpty || !seen.quirks.isEmpty else { return nil }
        }
        return emptiness(of: picture).map { AlarmSample(digest: picture.digest, emptiness: $0) }
    }

    private mutating func emptiness(of picture: Frame, made jpeg: [UInt8]? = nil) -> BlankCheck? {
        if picture.layout.pixelFormat.isJPEG {
            return try? picture.withBytes { (bytes) throws(ImagingError) in try inspector.emptiness(of: bytes) }
        }
        guard let jpeg, picture.converter != nil else { return try? statistics(of: picture).emptiness }
        return try? inspector.emptiness(of: jpeg.rawSpan)
    }
}

struct FrameAnalysis: Sendable {
    let stamp: FrameStamp
    let statistics: FrameStatistics?

    var key: FrameKey { stamp.key }
}

/// The most recently analysed frames of one camera, for comparison with the next one; any thread, never blocks.
final class AnalysisCache: Sendable {
    struct Entry: Sendable {
        let key: FrameKey
        let digest: UInt64
        var emptiness: BlankCheck?
    }

    /// More than the encoding threads process at once: they may finish out of order.
    private static let length = 8

    private let entries = Mutex<[Entry]>([])
    private let total = Atomic(0)
    private let finished = Mutex<FrameAnalysis?>(nil)

    var count: Int { total.load(ordering: .relaxed) }

    /// Stores an analysis requested for settling, unless a newer frame's is stored already.
    func finish(_ analysis: FrameAnalysis) {
        finished.withLock { finished in if finished.map({ $0.key < analysis.key }) ?? true { finished = analysis } }
    }

    func takeFinished() -> FrameAnalysis? { finished.withLock { $0.take() } }
    func entry(_ key: FrameKey) -> Entry? { entries.withLock { $0.first { $0.key == key } } }

    /// Caches the analysis of a frame; true if its bytes equal those of the previous analysed frame, nil without one.
    @discardableResult
    func record(_ entry: Entry) -> Bool? {
        entries.withLock { entries in
            let before = entries.last { $0.key < entry.key }
            if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                entries[index] = entry
            } else {
                total.add(1, ordering: .relaxed)
                entries.insert(entry, at: entries.firstIndex { entry.key < $0.key } ?? entries.endIndex)
                if entries.count > Self.length { entries.removeFirst() }
            }
            return before.map { $0.digest == entry.digest }
        }
    }
}
