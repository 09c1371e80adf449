// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeImaging
package import TintypeModel

extension EncodingThreads.Codecs {
    /// Looks at a picture as closely as `integrity` wants it.
    ///
    /// Strict refuses whatever is wrong, tolerant all but what this camera's pictures always have wrong, raw nothing that
    /// has any bytes.
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

extension Problem {
    /// No frame came by the deadline that was whole enough.
    ///
    /// - Parameters:
    ///   - camera: its name.
    ///   - deadline: the time that there was.
    ///   - passedOver: what came, in words.
    ///   - faults: what was wrong with the pictures that were looked at.
    ///   - integrity: how whole they had to be.
    ///   - tolerance: what its pictures always have wrong.
    /// - Returns: the problem, with what was seen by count.
    static func corruptOnly(
        _ camera: String,
        within deadline: Duration,
        _ passedOver: String,
        _ faults: [PictureFault: Int],
        for integrity: Integrity,
        _ tolerance: [PictureTolerance]?
    ) -> Problem {
        let sorted = faults.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        let seen = sorted.map { "\($0.value) \($0.key.rawValue)" }
        let wrong = seen.isEmpty ? "" : "; looked at: \(seen.joined(separator: ", "))"
        let quirks = tolerance?.map(\.quirk.rawValue).joined(separator: ", ")
        let remedy =
            if let quirks, integrity == .strict {
                "Pictures of this camera always have it (\(quirks)): ask for integrity “tolerant”."
            } else if sorted.first?.key == .overwritten {
                "Load v4l2loopback with more buffers (max_buffers=8), or feed it more slowly."
            } else {
                "See the daemon's log for what is wrong with them, and check the camera's cable and USB hub."
            }
        return Problem(
            .corruptOnly,
            "The camera \(camera) gave only damaged pictures within \(SpokenDuration.text(deadline)) "
                + "(\(passedOver)\(wrong)).",
            remedy: remedy,
            retryAfter: .seconds(1)
        )
    }
}
