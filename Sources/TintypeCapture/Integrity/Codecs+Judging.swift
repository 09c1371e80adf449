// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeImaging
package import TintypeModel

extension EncodingThreads.Codecs {
    /// Looks at a picture as closely as `integrity` wants it.
    ///
    /// Strict refuses any fault, tolerant any but the one that this camera's pictures always have, raw only a picture
    /// without bytes.
    ///
    /// - Throws: what is wrong with a picture that is not good enough; ``ImagingError/refused(_:)`` where one that has to be
    ///   decoded for that takes too much memory.
    package mutating func judge(
        _ picture: CapturedPicture,
        for integrity: Integrity
    ) throws(ImagingError) -> JudgedPicture {
        guard picture.layout.pixelFormat.isJPEG else { return try Self.judgePixels(of: picture, for: integrity) }
        let size = picture.layout.size
        let depth = JPEGInspection.Depth(for: integrity)
        let seen = picture.withBytes { JPEGInspection($0, expected: size, depth: depth, with: &inspector) }
        picture.quirks?.record(seen, of: picture.key, at: picture.stamp.dequeued)
        let delivered = picture.stamp.faults.pictureFaults
        let isTolerated = delivered.isEmpty && seen.quirk.map { picture.quirks?.covers($0) ?? false } ?? false
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
        return JudgedPicture(verdict: verdict, faults: faults, whole: whole, size: size, emptiness: seen.emptiness)
    }

    /// All that can be checked of pixels is that the driver says nothing against them and that there are enough.
    private static func judgePixels(
        of picture: CapturedPicture,
        for integrity: Integrity
    ) throws(ImagingError) -> JudgedPicture {
        let count = picture.withBytes { $0.byteCount }
        let need = picture.layout.byteCount ?? 0
        let delivered = picture.stamp.faults.subtracting(.short).pictureFaults
        let isShort = count < need || picture.stamp.faults.contains(.short)
        let errors = delivered.map(ImagingError.delivered) + (isShort ? [.short(have: count, need: need)] : [])
        guard let first = errors.first else {
            return JudgedPicture(verdict: .intact, faults: [], whole: nil, size: picture.layout.size)
        }
        guard integrity == .raw, count > 0 else { throw first }
        let faults = faults(of: errors)
        return JudgedPicture(verdict: .damaged, faults: faults, whole: nil, size: picture.layout.size)
    }

    /// Each fault once, in the order in which they were found.
    private static func faults(of errors: [ImagingError]) -> [PictureFault] {
        var faults: [PictureFault] = []
        for fault in errors.compactMap(\.fault) where !faults.contains(fault) { faults.append(fault) }
        return faults
    }
}

/// A captured picture that was found good enough for a client, and how good it is.
package struct JudgedPicture: Sendable {
    /// How whole the frame is.
    package let verdict: Verdict
    /// What is wrong with it, each once.
    package let faults: [PictureFault]
    /// The camera's own JPEG picture; nil for pixels.
    ///
    /// What it lacks is put in, and the file is whole; for ``Integrity/raw`` it is as the driver delivered it.
    package let whole: WholeJPEG?
    /// The size of the picture.
    package let size: FrameSize
    /// Whether it shows anything; nil where judging it did not tell.
    var emptiness: Emptiness?

    /// Calls `body` with the pixels of the picture that was judged: where bytes are missing, with zeros in their place.
    func withPixels<R, E: Error>(of picture: CapturedPicture, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try picture.withBytes(atLeast: faults.contains(.short) ? picture.layout.byteCount ?? 0 : 0, body)
    }
}

extension CapturedPicture {
    /// Calls `body` with the camera's own JPEG picture as the file that it was found to be.
    func withFile<R, E: Error>(_ whole: WholeJPEG, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try withBytes { (bytes) throws(E) in try whole.withBytes(of: bytes, body) }
    }
}
