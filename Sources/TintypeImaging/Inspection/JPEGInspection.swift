// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

package struct JPEGInspection: Sendable {
    package enum Depth: Hashable, Sendable {
        /// Marker segments from SOI to EOI.
        case segments
        /// Also every code of the scans, by libturbojpeg in pictures that our reader does not cover.
        case entropy

        package init(for integrity: Integrity) { self = integrity == .strict ? .entropy : .segments }
    }

    package private(set) var faults: [ImagingError] = []
    /// The faults, if all are such that some cameras always have and that leave every block readable; else empty.
    package private(set) var quirks: Set<PictureQuirk> = []
    /// The picture as a complete file, with missing parts added; nil if its segments do not lead to its data.
    package private(set) var whole: WholeJPEG?
    /// Reason why libturbojpeg cannot check the picture, although ``depth`` requires it and nothing else is wrong.
    package private(set) var refusal: Problem?
    /// Size in the frame header; nil if the segments are damaged.
    package private(set) var size: FrameSize?
    /// Nil if not determined in the course of the inspection.
    package private(set) var emptiness: BlankCheck?
    /// Depth that was reached; at least the required one unless a fault was found before.
    package private(set) var depth: Depth

    /// Blocks; `bytes` is the buffer up to `bytesused`, `expected` the size granted by the driver, nil for any.
    ///
    /// Reads the codes at any depth if bytes between the segments were passed over, which may have been headers, and if
    /// the picture is a little larger.
    package init(_ bytes: RawSpan, expected: FrameSize?, depth: Depth, with inspector: inout JPEGInspector) {
        self.depth = depth
        do throws(ImagingError) {
            let structure = try JPEGStructure(bytes, isLenient: true)
            let found = structure.header.size
            size = found
            whole = structure.isTerminated ? try WholeJPEG(bytes, structure) : nil
            if let expected, found != expected {
                faults.append(.sizeMismatch(found, expected: expected))
                // Larger by less than the largest MCU, 16 pixels: rounded up, as a rule.
                let (wider, higher) = (found.width - expected.width, found.height - expected.height)
                if (0..<16).contains(wider), (0..<16).contains(higher) { quirks.insert(.largerSize) }
            }
            if structure.isTerminated {
                if depth == .entropy || !structure.strays.isEmpty || !quirks.isEmpty {
                    try checkEntropy(bytes, structure, &inspector)
                }
            } else {
                try checkEnd(bytes, structure, &inspector.reader)
            }
        } catch {
            faults.append(error)
        }
        if quirks.count < faults.count { quirks = [] }
    }

    /// A picture without EOI may otherwise be complete.
    private mutating func checkEnd(
        _ bytes: RawSpan,
        _ structure: JPEGStructure,
        _ reader: inout JPEGScanReader
    ) throws(ImagingError) {
        faults.append(.truncated)
        guard case .whole(let end) = try reader.read(bytes) else { return }
        whole = try WholeJPEG(bytes, structure, end: end)
        quirks.insert(.missingEnd)
    }

    private mutating func checkEntropy(
        _ bytes: RawSpan,
        _ structure: JPEGStructure,
        _ inspector: inout JPEGInspector
    ) throws(ImagingError) {
        depth = .entropy
        let finding = try inspector.reader.read(bytes)
        switch finding {
        case .damaged(let why): throw .entropy(why)
        case .surplus(let ranges):
            faults.append(.surplus(ranges.reduce(0) { $0 + $1.count }))
            quirks.insert(.surplusBytes)
            whole = try WholeJPEG(bytes, structure, without: ranges)
        case .whole, .unread: break
        }
        if finding != .unread, inspector.reader.isPlain {
            // The decoder would read the same codes again and find nothing (Tests/Fuzz/PictureFuzz.swift).
            emptiness = inspector.reader.means.emptiness
            return
        }
        guard let whole else { return }
        let warning: String?
        do throws(ImagingError) {
            warning = try whole.withBytes(of: bytes) { (file) throws(ImagingError) in
                try inspector.decoder.warning(about: file)
            }
        } catch {
            switch (error, finding) {
            case (.refused(let problem), _): refusal = problem
            // Every block is there, only libjpeg does not know pictures of its kind.
            case (.notJPEG(let why), .whole), (.notJPEG(let why), .surplus): refusal = .undecodable(why)
            default: throw error
            }
            return
        }
        guard let warning else { return }
        if case .whole = finding { quirks.insert(.decoderWarning) }
        throw .entropy("libjpeg says “\(warning)”")
    }

    /// Verdict on an accepted picture: strict rejects any fault but a tolerated quirk that is repairable, tolerant any
    /// but a tolerated quirk, raw none.
    ///
    /// The inspection must have had the depth for `integrity`. `delivered` are faults reported by the driver;
    /// `isTolerated` if ``quirks`` are the known faults of this camera's pictures. Throws the fault of a rejected
    /// picture, or ``ImagingError/refused(_:)`` if decoding is required and libjpeg does not know the picture's kind, or
    /// would take too much memory.
    package func verdict(
        for integrity: Integrity,
        delivered: [ImagingError] = [],
        isTolerated: Bool
    ) throws(ImagingError) -> Verdict {
        let errors = delivered + faults
        guard integrity != .raw else {
            return errors.allSatisfy { $0.fault == nil } ? .sound : isTolerated ? .tolerated : .damaged
        }
        let isRepairable = !quirks.isEmpty && quirks.allSatisfy(\.isRepairable)
        let isAccepted = isTolerated && (integrity != .strict || isRepairable)
        if let error = errors.first, !isAccepted { throw error }
        if let refusal { throw .refused(refusal) }
        guard whole != nil else { throw .truncated }
        return isTolerated ? .tolerated : integrity == .strict ? .intact : .sound
    }
}

extension Problem {
    /// The picture is whole, but of a kind that libjpeg does not decode.
    fileprivate static func undecodable(_ why: String) -> Problem {
        Problem(
            .configurationUnsupported,
            "The JPEG picture cannot be checked, because libjpeg does not decode pictures of its kind: \(why).",
            remedy: "Take the picture as it is, with integrity tolerant, or choose another pixel format of the camera."
        )
    }
}

/// Inspects JPEG pictures: baseline codes with our reader, everything else with libturbojpeg; not thread-safe, blocks.
package struct JPEGInspector: ~Copyable {
    var reader = JPEGScanReader()
    package var decoder = JPEGDecoder()

    package init() {}

    /// Ignores damage that libjpeg recovers from; standard Huffman tables may be missing, as with webcams.
    ///
    /// Throws like ``JPEGDecoder``.
    package mutating func statistics(of jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        if let statistics = try? statistics(ofWhole: jpeg) { return statistics }
        return try decoder.statistics(of: jpeg)
    }

    /// Throws also ``ImagingError/entropy(_:)`` if damage is found.
    package mutating func statistics(ofWhole jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        switch try reader.read(jpeg) {
        case .damaged(let why): throw .entropy(why)
        case .whole, .surplus: if reader.isPlain { return FrameStatistics(reader.means) }
        case .unread: break
        }
        return try decoder.statistics(of: jpeg)
    }

    /// Usually reads only the beginning; throws like ``statistics(of:)``.
    package mutating func emptiness(of jpeg: RawSpan) throws(ImagingError) -> BlankCheck {
        if let emptiness = reader.emptiness(of: jpeg) { return emptiness }
        return try decoder.statistics(of: jpeg).emptiness
    }
}
