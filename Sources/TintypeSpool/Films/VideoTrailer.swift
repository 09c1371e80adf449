// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Record and poster behind a film or clip, in a part that players skip: in MP4 a box `free` (ISO/IEC 14496-12, 8.1.2),
/// in Matroska an element Void (RFC 8794, 11.3.2).
///
/// Consists of poster, record as JSON, the lengths of both in four bytes each, and ``mark``; numbers are big-endian.
struct VideoTrailer: Sendable {
    /// Its `bytes` are those before the trailer.
    let record: StillRecord
    /// JPEG picture that stands for the film; empty for none.
    let poster: [UInt8]

    private static let mark = Array("TINTYPE1".utf8)
    private static let endLength = 16
    /// Upper limit of the length of poster and record.
    static let most = 4 << 20
    /// Greatest width of a poster in pixels.
    static let posterWidth = 640

    init(_ record: StillRecord, poster: [UInt8]) { (self.record, self.poster) = (record, poster) }

    func bytes(of ending: String) -> [UInt8] {
        let json = (try? WireFormat.encode(record)) ?? []
        let ends = BigEndian.bytes(poster.count, 4) + BigEndian.bytes(json.count, 4) + Self.mark
        let length = poster.count + json.count + ends.count
        // The size of an element follows a byte 1 in seven bytes; that of a box includes its header.
        let header =
            ending == "mkv" ? [0xEC, 0x01] + BigEndian.bytes(length, 7) : BigEndian.bytes(length + 8, 4) + "free".utf8
        return header + poster + json + ends
    }

    /// Reads the end of a file of `size` bytes; nil if it has no trailer that belongs to these bytes; blocks.
    init?(of path: String, size: Int, _ files: any FileSystem) throws(FileError) {
        guard size > Self.endLength else { return nil }
        let end = try files.read(path, size - Self.endLength..<size)
        guard end.count == Self.endLength, Array(end[8...]) == Self.mark else { return nil }
        let (first, second) = (BigEndian.number(end[..<4]), BigEndian.number(end[4..<8]))
        guard first + second <= min(Self.most, size - Self.endLength) else { return nil }
        let content = try files.read(path, size - Self.endLength - first - second..<size - Self.endLength)
        // A later version may add fields to the record.
        guard content.count == first + second,
            let record = try? WireFormat.decode(StillRecord.self, from: content[first...]),
            record.bytes == size - Self.endLength - first - second - (path.hasSuffix(".mkv") ? 9 : 8)
        else { return nil }
        self.init(record, poster: Array(content[..<first]))
    }

    /// Record of a file of `size` bytes of a camera; nil for values that tintyped never writes.
    func record(of camera: String, size: Int) -> StillRecord? {
        let moments = CheckedRow.moments
        guard let kind = record.kind, kind != .still, let until = record.until, let pictures = record.pictures,
            let duration = record.durationMs, duration.duration >= .zero, pictures > 0,
            moments.contains(record.capturedAt.microseconds), moments.contains(until.microseconds),
            [record.width, record.height].allSatisfy((1...65_535).contains),
            record.id.isOf(record.capturedAt)
        else { return nil }
        var still = record
        (still.camera, still.bytes, still.sequence) = (camera, size, 0)
        still.tags = record.tags?.filter(StillRequest.isValid(tag:))
        return still
    }

    /// Scales a picture down for a poster, without its EXIF data; empty if it is damaged; blocks.
    static func poster(of picture: [UInt8]) -> [UInt8] {
        (try? JPEGThumbnail.make(of: picture.rawSpan, width: posterWidth)) ?? []
    }
}

/// Whole pictures of the recording of a clip, ``SMJPEG``.
struct RecordingContents: Sendable {
    /// Length up to the end of the last whole picture.
    private(set) var bytes = 0
    private(set) var pictures = 0
    /// Time of the last whole picture since the first one.
    private(set) var end = Duration.zero
    /// Place of the first picture at or after a time, or else of the last one.
    private(set) var poster = 0..<0

    /// Reads the ends of the pictures up to the first one that is not whole; blocks.
    init(of path: String, posterAt time: Duration, _ files: any FileSystem) throws(FileError) {
        guard try files.size(ofFile: path) != nil else { return }
        // The header of a picture, and the marker with which it begins.
        let length = SMJPEG.frameHeaderLength + 2
        let start = try files.read(path, 0..<SMJPEG.headerLength + length)
        guard SMJPEG.size(ofHeader: Array(start.prefix(SMJPEG.headerLength))) != nil else { return }
        var (place, next, isFound) = (SMJPEG.headerLength, Array(start.dropFirst(SMJPEG.headerLength)), false)
        while next.count == length, next.suffix(2) == [0xFF, 0xD8],
            let frame = SMJPEG.frame(ofHeader: next.dropLast(2)),
            frame.bytes >= 4
        {
            let picture = place + SMJPEG.frameHeaderLength..<place + SMJPEG.frameHeaderLength + frame.bytes
            // One read for the end of this picture and the start of the next one.
            let seam = try files.read(path, picture.upperBound - 2..<picture.upperBound + length)
            guard seam.prefix(2) == [0xFF, 0xD9] else { return }
            (bytes, pictures, end) = (picture.upperBound, pictures + 1, frame.time)
            if !isFound { (poster, isFound) = (picture, frame.time >= time) }
            (place, next) = (picture.upperBound, Array(seam.dropFirst(2)))
        }
    }
}
