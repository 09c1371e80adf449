// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// A picture's file that has no row.
struct UnknownFile: Hashable, Sendable {
    var file: FoundFile
    /// The checksum of the picture of that path that was deleted; nil if none was in the last 30 days.
    var deleted: String?
}

/// The result of looking at an unknown file.
enum ExaminedFile: Sendable {
    /// A whole picture of ours, with the row that it gets.
    case picture(FrameRow)
    /// A file of ours that is no whole picture.
    case torn(FoundFile, why: String)
    /// The picture that was deleted: it has come back.
    case deleted(FoundFile)
    /// Nothing of ours, or nothing that says when it was taken.
    case foreign
    /// It went meanwhile, or cannot be read now.
    case skipped(FileError)
}

extension UnknownFile {
    /// Finds out what it is; blocks while it is read.
    ///
    /// Ours is what has a name that this spool gives, and what says in its EXIF data that tintyped wrote it. Its time is
    /// that of the EXIF data, else that of the name.
    func examine(
        _ spool: Spool.Configuration,
        files: any FileSystem,
        bootID: String,
        _ clock: any MonotonicClock
    ) -> ExaminedFile {
        let name = spool.names.reading(file.path)
        guard file.size <= FileLimit.picture else { return .foreign }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read("\(spool.folder)/\(file.path)", atMost: FileLimit.picture)
        } catch {
            return .skipped(error)
        }
        let sha256 = SHA256.text(bytes)
        guard deleted != sha256 else { return .deleted(file) }
        let origin = ExifOrigin(bytes)
        guard name != nil || origin?.isOurs == true else { return .foreign }
        let size: FrameSize
        do throws(ImagingError) {
            size = try WholePicture.size(of: bytes, origin)
        } catch {
            // One that is too large to be judged is none of ours.
            if case .refused = error { return .foreign }
            return .torn(file, why: "\(error)")
        }
        let ours = origin?.isOurs == true ? origin : nil
        // No row can have a time before the year 1. A camera that wrote EXIF data of its own may have any clock.
        guard let camera = file.path.split(separator: "/").first.map(String.init),
            let time = ours?.capturedAt ?? name?.capturedAt ?? origin?.capturedAt,
            CheckedRow.moments.contains(time.microseconds)
        else { return .foreign }
        let id = ours?.id ?? name?.id
        return .picture(
            FrameRow(
                id: id.flatMap { $0.millisecond == max(0, time.microseconds / 1000) ? $0 : nil } ?? FrameID(at: time),
                camera: camera,
                path: file.path,
                bytes: bytes.count,
                size: size,
                sequence: ours?.sequence ?? name?.sequence ?? 0,
                capturedAt: time,
                // The file does not say, so the least is claimed.
                timestampSource: .dequeue,
                uncertainty: nil,
                storedAt: clock.wall,
                stored: .written,
                sha256: sha256,
                bootID: bootID,
                storedMonotonic: clock.now,
                // Where the file does not say: a time before there was any tintype, or that is to come, is wrong.
                isClockSynchronized: ours?.isClockSynchronized ?? (time >= Self.first && time <= clock.wall),
                verdict: ours?.verdict,
                average: ours?.average,
                source: .reconcile
            )
        )
    }

    /// The start of 2020.
    private static let first = Timestamp(microseconds: 1_577_836_800_000_000)
}

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
