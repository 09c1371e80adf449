// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What is wrong with one JPEG picture of a camera, as far as it was looked at.
package struct JPEGInspection: Sendable {
    /// How closely a picture is looked at.
    package enum Depth: Hashable, Sendable {
        /// The marker segments from SOI to EOI.
        case segments
        /// All of that and each code of the scans; what our reader does not cover is decoded by libturbojpeg.
        case entropy
    }

    /// What is wrong; nothing where it is empty.
    package private(set) var faults: [ImagingError] = []
    /// The one thing that is wrong, where it is a habit of some cameras and leaves every block of the picture readable.
    package private(set) var quirk: PictureQuirk?
    /// The picture as a whole file, with what it lacks put in; nil where its segments do not lead to its data.
    package private(set) var whole: WholeJPEG?
    /// Why it was not decoded, though that was wanted and nothing else is wrong with it; nil where there is no reason.
    package private(set) var refusal: Problem?
    /// The size that the picture says it has; nil where it has no sound segments.
    package private(set) var size: FrameSize?
    /// Whether it shows anything; nil where that was not told by the way.
    package private(set) var emptiness: Emptiness?
    /// How closely it was looked at.
    package let depth: Depth

    /// Looks at a picture.
    ///
    /// Blocks for as long as that takes.
    ///
    /// - Parameters:
    ///   - bytes: what the driver says was used of the buffer (`bytesused`).
    ///   - expected: the size that the driver granted; nil to take any.
    ///   - depth: how closely to look.
    ///   - inspector: reads its codes, and decodes it, where that is needed.
    package init(_ bytes: RawSpan, expected: FrameSize?, depth: Depth, with inspector: inout JPEGInspector) {
        self.depth = depth
        do throws(ImagingError) {
            let structure = try JPEGStructure(bytes)
            size = structure.header.size
            whole = structure.isTerminated ? try WholeJPEG(bytes, structure) : nil
            if let expected, structure.header.size != expected {
                faults.append(.sizeMismatch(structure.header.size, expected: expected))
            }
            if let whole {
                if depth == .entropy { try checkEntropy(bytes, whole, &inspector) }
            } else {
                try checkEnd(bytes, structure, &inspector.reader)
            }
        } catch {
            faults.append(error)
        }
        if faults.count > 1 { quirk = nil }
    }

    /// A picture without EOI, of which everything else may be there.
    private mutating func checkEnd(
        _ bytes: RawSpan,
        _ structure: JPEGStructure,
        _ reader: inout JPEGScanReader
    ) throws(ImagingError) {
        faults.append(.truncated)
        guard case .whole(let end) = try reader.read(bytes) else { return }
        whole = try WholeJPEG(bytes, structure, end: end)
        quirk = .missingEnd
    }

    private mutating func checkEntropy(
        _ bytes: RawSpan,
        _ whole: WholeJPEG,
        _ inspector: inout JPEGInspector
    ) throws(ImagingError) {
        let finding = try inspector.reader.read(bytes)
        switch finding {
        case .damaged(let why): throw .entropy(why)
        case .surplus(let count):
            quirk = .surplusBytes
            throw .entropy("\(count) bytes behind its last block belong to nothing")
        case .whole where inspector.reader.isPlain:
            // The decoder would read the same codes again, and find nothing (Tests/Fuzz/PictureFuzz.swift).
            emptiness = inspector.reader.means.emptiness
            return
        case .whole, .unread: break
        }
        let warning: String?
        do throws(ImagingError) {
            warning = try whole.withBytes(of: bytes) { (file) throws(ImagingError) in
                try inspector.decoder.warning(about: file)
            }
        } catch {
            guard case .refused(let problem) = error else { throw error }
            refusal = problem
            return
        }
        guard let warning else { return }
        if case .whole = finding { quirk = .decoderWarning }
        throw .entropy("libjpeg says “\(warning)”")
    }
}

extension JPEGInspection.Depth {
    /// How closely a picture has to be looked at to be as whole as that.
    package init(for integrity: Integrity) { self = integrity == .strict ? .entropy : .segments }
}

extension JPEGInspection {
    /// How whole the picture is: the one judgment of a still that is taken and of a file that is taken into a spool.
    ///
    /// Strict refuses any fault, tolerant any but the one that `isTolerated`, raw none.
    ///
    /// - Parameters:
    ///   - integrity: how whole it has to be; it was looked at to that depth.
    ///   - delivered: what the driver says is wrong with it.
    ///   - isTolerated: whether ``quirk`` is the one thing that pictures of its camera always have wrong.
    /// - Returns: how whole it is.
    /// - Throws: what is wrong with a picture that is not good enough; ``ImagingError/refused(_:)`` where one that has to be
    ///   decoded for that takes too much memory.
    package func verdict(
        for integrity: Integrity,
        delivered: [ImagingError] = [],
        isTolerated: Bool
    ) throws(ImagingError) -> Verdict {
        let errors = delivered + faults
        guard integrity != .raw else {
            return errors.allSatisfy { $0.fault == nil } ? .sound : isTolerated ? .tolerated : .damaged
        }
        if let error = errors.first, integrity == .strict || !isTolerated { throw error }
        if let refusal { throw .refused(refusal) }
        guard whole != nil else { throw .truncated }
        return isTolerated ? .tolerated : integrity == .strict ? .intact : .sound
    }
}

/// What looks at JPEG pictures: our reader at the codes of a baseline picture, and libturbojpeg at all that the reader does
/// not cover.
///
/// It keeps tables and decoder from picture to picture. One thread at a time uses it; it blocks for as long as a picture
/// takes.
package struct JPEGInspector: ~Copyable {
    var reader = JPEGScanReader()
    /// For what the reader does not cover.
    package var decoder = JPEGDecoder()

    /// An inspector that has looked at nothing yet.
    package init() {}

    /// The numbers of a picture; damage that libjpeg can go on after is no matter here.
    ///
    /// Standard Huffman tables may be missing, as in the pictures of many webcams.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` with libjpeg's message, ``ImagingError/refused(_:)`` for a progressive picture
    ///   of more than 16 megapixels.
    package mutating func statistics(of jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        if case .whole = try? reader.read(jpeg), reader.isPlain { return FrameStatistics(reader.means) }
        return try decoder.statistics(of: jpeg)
    }

    /// The same of a picture that has to be whole.
    ///
    /// - Throws: as ``statistics(of:)``, and ``ImagingError/entropy(_:)`` where damage is found.
    package mutating func statistics(ofWhole jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        let finding = try reader.read(jpeg)
        if case .damaged(let why) = finding { throw .entropy(why) }
        if case .whole = finding, reader.isPlain { return FrameStatistics(reader.means) }
        return try decoder.statistics(of: jpeg)
    }

    /// Whether a picture shows anything; of most pictures only the beginning is read.
    ///
    /// - Throws: as ``statistics(of:)``.
    package mutating func emptiness(of jpeg: RawSpan) throws(ImagingError) -> Emptiness {
        if let emptiness = reader.emptiness(of: jpeg) { return emptiness }
        return try decoder.statistics(of: jpeg).emptiness
    }
}
