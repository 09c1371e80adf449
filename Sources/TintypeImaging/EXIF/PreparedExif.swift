// SPDX-License-Identifier: Apache-2.0
internal import CExif
internal import Synchronization

/// The EXIF data of a camera's last picture, of which the next one's is a copy with other texts.
///
/// What differs from picture to picture is its time, its id and its number. libexif makes the whole again where anything
/// else differs, or a text has another length. Any thread; a picture waits for another's copy of some 1,000 bytes.
package final class PreparedExif: Sendable {
    /// A segment, what it says, and where the texts are.
    private struct Made {
        let facts: ExifFacts
        let own: CameraExif?
        var segment: [UInt8]
        let places: [Range<Int>]
    }

    private let last = Mutex<Made?>(nil)

    /// None as yet.
    package init() {}

    /// The APP1 segment of these facts, as ``ExifFacts/segment(besides:)`` makes it.
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
            if places.count == texts.count {
                last = Made(facts: lasting, own: own, segment: segment, places: places)
            }
            return segment
        }
    }
}

/// Where the values of EXIF data are that libexif wrote: in little-endian, as ``ExifBuilder`` asks for (TIFF 6.0, section 2).
private struct TIFFDirectories {
    private static let entryBytes = 12

    let segment: [UInt8]
    /// Where offsets count from: behind marker, length and identifier.
    private let start = 10

    /// The bytes of a value that does not fit into its entry; nil where there is no such.
    func place(of tag: ExifTag, in directory: ExifIfd) -> Range<Int>? {
        var entries = number(at: 4, bytes: 4)
        if directory == EXIF_IFD_EXIF {
            guard let pointer = entry(EXIF_TAG_EXIF_IFD_POINTER, in: entries) else { return nil }
            entries = number(at: pointer + 8, bytes: 4)
        }
        guard let entry = entry(tag, in: entries) else { return nil }
        // ASCII and UNDEFINED count bytes.
        let (count, offset) = (number(at: entry + 4, bytes: 4), number(at: entry + 8, bytes: 4))
        guard count > 4, start + offset + count <= segment.count else { return nil }
        return start + offset..<start + offset + count
    }

    private func entry(_ tag: ExifTag, in entries: Int) -> Int? {
        (0..<number(at: entries, bytes: 2)).lazy.map { entries + 2 + $0 * Self.entryBytes }
            .first { number(at: $0, bytes: 2) == Int(tag.rawValue) }
    }

    /// A number; 0 outside the segment.
    private func number(at offset: Int, bytes: Int) -> Int {
        guard start + offset + bytes <= segment.count else { return 0 }
        return (0..<bytes).reduce(0) { $0 | Int(segment[start + offset + $1]) << (8 * $1) }
    }
}
