// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

enum ExaminedFile: Sendable {
    /// A complete picture from tintyped, with its new row.
    case picture(FrameRow)
    /// An incomplete file from tintyped.
    case torn(FoundFile, why: String)
    /// A deleted picture that has reappeared.
    case deleted(FoundFile)
    /// Not from tintyped, or without a capture time.
    case foreign
    /// Removed meanwhile, or unreadable at present.
    case skipped(FileError)
}

struct FileExaminer {
    let spool: SpoolStore.Configuration
    let files: any FileSystem
    let bootID: String
    let clock: any MonotonicClock

    /// Examines a file without a row; blocks.
    ///
    /// It is from tintyped if its name matches the spool's pattern or its EXIF data says so. The capture time is
    /// that of tintyped's EXIF data, else that of the name, else that of other EXIF data.
    func examine(_ file: FoundFile) -> ExaminedFile {
        if SpoolPath.isVideo(file.path) { return examineVideo(file) }
        let name = spool.names.reading(file.path)
        guard file.size <= FileLimit.picture else { return .foreign }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read("\(spool.folder)/\(file.path)", atMost: FileLimit.picture)
        } catch {
            return .skipped(error)
        }
        let sha256 = SHA256.text(bytes)
        guard file.deleted != sha256 else { return .deleted(file) }
        let origin = ExifOrigin(bytes)
        guard name != nil || origin?.isOurs == true else { return .foreign }
        let sides: FrameSize
        do throws(ImagingError) {
            sides = try WholePicture.size(of: bytes, origin)
        } catch {
            // Too large to decode: not from tintyped.
            if case .refused = error { return .foreign }
            return .torn(file, why: "\(error)")
        }
        let ours = origin?.isOurs == true ? origin : nil
        // A row cannot have a time before the year 1. A camera that writes its own EXIF data may have any clock.
        let times = [ours?.capturedAt, name?.capturedAt, origin?.capturedAt].compactMap(\.self)
        guard let camera = file.path.split(separator: "/").first.map(String.init),
            let time = times.first(where: { CheckedRow.moments.contains($0.microseconds) })
        else { return .foreign }
        let id = ours?.id ?? name?.id
        var still = StillRecord(
            id: id.flatMap { $0.isOf(time) ? $0 : nil } ?? FrameID(at: time),
            camera: camera,
            bytes: bytes.count,
            width: sides.width,
            height: sides.height,
            sequence: ours?.sequence ?? name?.sequence ?? 0,
            capturedAt: time,
            // Not recorded in the file, so the weakest source is assumed.
            timestampSource: .dequeue
        )
        (still.stored, still.verdict, still.average) = (.written, ours?.verdict, ours?.average)
        return .picture(row(of: file, still, sha256, ours?.isClockSynchronized))
    }

    /// Examines a film or clip, which has its record at its end; blocks.
    private func examineVideo(_ file: FoundFile) -> ExaminedFile {
        let (path, size) = ("\(spool.folder)/\(file.path)", file.size)
        do throws(FileError) {
            guard size <= FileLimit.film, let trailer = try VideoTrailer(of: path, size: size, files),
                let camera = file.path.split(separator: "/").first.map(String.init),
                var still = trailer.record(of: camera, size: size)
            else { return .foreign }
            let sha256 = try files.checksum(of: path, size: size)
            guard file.deleted != sha256 else { return .deleted(file) }
            still.stored = .written
            return .picture(row(of: file, still, sha256))
        } catch {
            return .skipped(error)
        }
    }

    private func row(
        of file: FoundFile,
        _ still: StillRecord,
        _ sha256: String,
        _ isClockSynchronized: Bool? = nil
    ) -> FrameRow {
        let time = still.capturedAt
        return FrameRow(
            still: still,
            path: file.path,
            sha256: sha256,
            storedAt: clock.wall,
            bootID: bootID,
            storedMonotonic: clock.now,
            // Default: a time before tintype existed or in the future is wrong.
            isClockSynchronized: isClockSynchronized ?? (time >= Self.first && time <= clock.wall),
            source: .reconcile
        )
    }

    /// 2020-01-01 00:00:00 UTC.
    private static let first = Timestamp(microseconds: 1_577_836_800_000_000)
}

enum WholePicture {
    /// Size of a picture that ends with its EOI marker and meets the integrity required of its still; blocks.
    ///
    /// That integrity follows from `origin`, the EXIF data, for a still of tintyped. Any other file must be intact: all
    /// its entropy-coded data is read, or it is decoded. Throws the defect; ``ImagingError/refused(_:)`` if too big.
    static func size(of file: [UInt8], _ origin: ExifOrigin?) throws(ImagingError) -> FrameSize {
        let verdict = origin?.isOurs == true ? origin?.verdict : nil
        let integrity: Integrity =
            switch verdict {
            case .sound, .tolerated: .tolerant
            // Damaged stills have no EXIF data: they cannot be distinguished from the result of a power cut.
            case .intact, .damaged, nil: .strict
            }
        let bytes = file.rawSpan
        guard JPEGHeader.isWhole(bytes) else { throw .truncated }
        var inspector = JPEGInspector()
        let depth = JPEGInspection.Depth(for: integrity)
        let seen = JPEGInspection(bytes, expected: nil, depth: depth, with: &inspector)
        let isTolerated = verdict == .tolerated && !seen.quirks.isEmpty
        _ = try seen.verdict(for: integrity, isTolerated: isTolerated)
        guard let size = seen.size else { throw .truncated }
        return size
    }
}
