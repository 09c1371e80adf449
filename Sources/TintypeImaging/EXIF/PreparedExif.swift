// SPDX-License-Identifier: Apache-2.0
internal import CExif
internal import Synchronization

/// Cached EXIF segment of a camera's last picture, patched for the next one; thread-safe.
///
/// Only the texts of time, id and number are replaced. libexif rebuilds the segment if anything else differs or a text
/// has another length. The lock is held while some 1,000 bytes are copied.
package final class PreparedExif: Sendable {
    /// `places` are the ranges of the variable texts.
    private struct Made {
        let facts: ExifFacts
        let own: CameraExif?
        var segment: [UInt8]
        let places: [Range<Int>]
    }

    private let last = Mutex<Made?>(nil)

    package init() {}

    /// Equal to ``ExifFacts/segment(besides:)``.
    func segment(_ facts: ExifFacts, besides own: CameraExif?) -> [UInt8]? {
        let (lasting, texts) = (facts.lasting, facts.passing.map(\.bytes))
        return last.withLock { last in
            if last?.facts == lasting, last?.own == own, last?.places.map(\.count) == texts.map(\.count) {
                for (place, text) in zip(last?.places ?? [], texts) { last?.segment.replaceSubrange(place, with: text) }
                return last?.segment
            }
            last = nil
            guard let segment = facts.segment(besides: own) else { return nil }
            let directories = TIFFDirectories(segment: segment)
            let places = facts.passing.compactMap { directories.place(of: $0.tag, in: $0.directory) }
            if places.count == texts.count { last = Made(facts: lasting, own: own, segment: segment, places: places) }
            return segment
        }
    }
}

/// Positions of values in a segment written by libexif, little-endian as set by ``ExifEntries`` (TIFF 6.0, section 2).
private struct TIFFDirectories {
    let segment: [UInt8]
    /// Base of TIFF offsets: after marker, length and identifier.
    private let start = 10

    /// Of a value stored outside its entry.
    func place(of tag: ExifTag, in directory: ExifIfd) -> Range<Int>? {
        var entries = number(at: 4, bytes: 4)
        if directory == EXIF_IFD_EXIF {
            guard let pointer = entry(EXIF_TAG_EXIF_IFD_POINTER, in: entries) else { return nil }
            entries = number(at: pointer + 8, bytes: 4)
        }
        guard let entry = entry(tag, in: entries) else { return nil }
        // For ASCII and UNDEFINED the count is in bytes.
        let (count, offset) = (number(at: entry + 4, bytes: 4), number(at: entry + 8, bytes: 4))
        guard count > 4, start + offset + count <= segment.count else { return nil }
        return start + offset..<start + offset + count
    }

    private func entry(_ tag: ExifTag, in entries: Int) -> Int? {
        // The number of entries, and 12 bytes for each.
        (0..<number(at: entries, bytes: 2)).lazy.map { entries + 2 + $0 * 12 }
            .first { number(at: $0, bytes: 2) == Int(tag.rawValue) }
    }

    /// Little-endian; 0 outside the segment.
    private func number(at offset: Int, bytes: Int) -> Int {
        guard start + offset + bytes <= segment.count else { return 0 }
        return (0..<bytes).reduce(0) { $0 | Int(segment[start + offset + $1]) << (8 * $1) }
    }
}
