// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeImaging
package import TintypeModel

extension EncodingThreads.Codecs {
    /// Inspects a picture as thoroughly as `integrity` requires.
    ///
    /// `strict` rejects any fault but a learned one of this camera that is repaired, `tolerant` any but a learned one,
    /// `raw` only a picture without bytes.
    ///
    /// - Throws: The fault of a rejected picture; ``ImagingError/refused(_:)`` if decoding it takes too much memory.
    package mutating func judge(_ picture: Frame, for integrity: Integrity) throws(ImagingError) -> JudgedPicture {
        guard picture.layout.pixelFormat.isJPEG else { return try Self.judgePixels(of: picture, for: integrity) }
        let size = picture.layout.size
        let depth = JPEGInspection.Depth(for: integrity)
        let delivered = picture.stamp.faults.pictureFaults
        let seen = picture.inspection(at: depth) {
            let seen = picture.withBytes { JPEGInspection($0, expected: size, depth: depth, with: &inspector) }
            guard delivered.isEmpty, let faults = picture.faults else { return seen }
            let (isFaultless, time) = (seen.faults.isEmpty, picture.stamp.dequeued)
            faults.record(seen.quirks, isFaultless: isFaultless, seen.depth, of: picture.key, at: time)
            return seen
        }
        let isTolerated = delivered.isEmpty && !seen.quirks.isEmpty && picture.faults?.covers(seen.quirks) ?? false
        let errors = delivered.map(ImagingError.delivered)
        let faults = Self.faults(of: errors + seen.faults)
        let verdict = try seen.verdict(for: integrity, delivered: errors, isTolerated: isTolerated)
        guard integrity != .raw else {
            let count = picture.withBytes { $0.byteCount }
            guard count > 0 else { throw .notJPEG("it is empty") }
            let whole = WholeJPEG.delivered(count: count)
            return JudgedPicture(verdict: verdict, faults: faults, whole: whole, size: seen.size ?? size)
        }
        guard let whole = seen.whole else { throw .truncated }
        var judged = JudgedPicture(verdict: verdict, faults: faults, whole: whole, size: size)
        judged.emptiness = seen.emptiness
        if seen.quirks.contains(.largerSize), let source = seen.size {
            judged.camera = picture.withFile(whole) { CameraExif(in: $0) }
            judged.whole = .mended(try cropped(whole, of: picture, from: source))
        }
        return judged
    }

    /// The upper left part of the granted size, losslessly and without the camera's APP and COM segments.
    private mutating func cropped(
        _ whole: WholeJPEG,
        of picture: Frame,
        from source: FrameSize
    ) throws(ImagingError) -> [UInt8] {
        let size = picture.layout.size
        let plan = try GeometryPlan(ImageOptions(crop: CropRectangle(size: size, left: 0, top: 0)), of: source)
        let part = try picture.withFile(whole) { (file) throws(ImagingError) in
            try transformer.transform(file, plan: plan)
        }
        guard let part else { throw .sizeMismatch(source, expected: size) }
        return part
    }

    /// Checks raw pixels: only driver flags and the byte count can be verified.
    private static func judgePixels(of picture: Frame, for integrity: Integrity) throws(ImagingError) -> JudgedPicture {
        let count = picture.withBytes { $0.byteCount }
        let need = picture.layout.byteCount ?? 0
        let delivered = picture.stamp.faults.subtracting(.short).pictureFaults
        let isShort = count < need || picture.stamp.faults.contains(.short)
        let errors = delivered.map(ImagingError.delivered) + (isShort ? [.short(have: count, need: need)] : [])
        if let first = errors.first, integrity != .raw || count == 0 { throw first }
        let verdict = errors.isEmpty ? Verdict.intact : .damaged
        return JudgedPicture(verdict: verdict, faults: faults(of: errors), whole: nil, size: picture.layout.size)
    }

    /// The faults without repeats, in order.
    private static func faults(of errors: [ImagingError]) -> [PictureFault] {
        var faults: [PictureFault] = []
        for fault in errors.compactMap(\.fault) where !faults.contains(fault) { faults.append(fault) }
        return faults
    }
}

package struct JudgedPicture: Sendable {
    package let verdict: Verdict
    /// The faults without repeats.
    package let faults: [PictureFault]
    /// The camera's own JPEG picture with missing parts added, for ``Integrity/raw`` as delivered; nil for pixels.
    package fileprivate(set) var whole: WholeJPEG?
    package let size: FrameSize
    /// Nil if inspection did not determine it.
    var emptiness: BlankCheck?
    /// EXIF data of the camera that cropping has removed from ``whole``.
    fileprivate(set) var camera: CameraExif?
}

extension Frame {
    /// Calls `body` with the camera's own JPEG file, as completed by inspection.
    func withFile<R, E: Error>(_ whole: WholeJPEG, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try withBytes { (bytes) throws(E) in try whole.withBytes(of: bytes, body) }
    }
}
