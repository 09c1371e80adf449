// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel

/// Tells a whole picture from the beginning of one, and from one with a part missing.
enum WholePicture {
    /// The size of the picture in a file that ends with its EOI marker and is as whole as its still had to be.
    ///
    /// That is what `origin`, the file's EXIF data, says of a still of ours; a file that does not say so must be
    /// intact: every code of it is read, or it is decoded. Blocks for as long as that takes.
    ///
    /// - Throws: what is wrong with it; ``ImagingError/refused(_:)`` where it is too large to be decoded for that.
    static func size(of file: [UInt8], _ origin: ExifOrigin?) throws(ImagingError) -> FrameSize {
        let verdict = origin?.isOurs == true ? origin?.verdict : nil
        let integrity: Integrity =
            switch verdict {
            case .sound, .tolerated: .tolerant
            // A damaged one has no EXIF data: nothing tells it from what a power cut has left.
            case .intact, .damaged, nil: .strict
            }
        let bytes = file.rawSpan
        guard JPEGHeader.isWhole(bytes) else { throw .truncated }
        var inspector = JPEGInspector()
        let depth = JPEGInspection.Depth(for: integrity)
        let seen = JPEGInspection(bytes, expected: nil, depth: depth, with: &inspector)
        let isTolerated = verdict == .tolerated && seen.quirk != nil
        _ = try seen.verdict(for: integrity, isTolerated: isTolerated)
        guard let size = seen.size else { throw .truncated }
        return size
    }
}
