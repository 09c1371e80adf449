// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Steps of a comparison on the storage thread.
extension Reconciliation {
    /// Returns the files without a row; quarantines a file whose length differs from its row, which was not flushed
    /// before a power cut, and marks the row as lost; restores a lost row whose file exists.
    func unknownFiles(_ found: [FoundFile], _ spool: OpenSpool) throws(Problem) -> [FoundFile] {
        var unknown: [FoundFile] = []
        var back: [String] = []
        for var file in found {
            guard let row = try spool.catalog.row(at: file.path) else {
                file.deleted = try tombstone(at: file.path, spool)?.sha256
                unknown.append(file)
                continue
            }
            if row.bytes == file.size {
                if row.isLost { back.append(file.path) }
            } else if try size(of: file.path, spool) == .some(.some(file.size)) {
                let why = StoredPicture.text(ofLength: file.size, row)
                report.add(try Quarantine(spool: spool).isolate(row, why))
            }
        }
        if !back.isEmpty { report.found += try spool.catalog.mark(back, isLost: false) }
        return unknown
    }

    /// Takes in whole pictures, quarantines torn ones, and removes deleted ones that have reappeared.
    func apply(_ files: [ExaminedFile], _ spool: OpenSpool) throws(Problem) {
        var (rows, ids): ([FrameRow], Set<FrameID>) = ([], [])
        for file in files {
            switch file {
            case .picture(var row):
                guard try isStillUnknown(row.path, bytes: row.bytes, spool) else { continue }
                let isTaken = try spool.catalog.tombstones.isTaken(row.id, since: oldestTombstone(spool))
                // Copies of a picture have the same id in their EXIF data.
                if !ids.insert(row.id).inserted || isTaken { row.still.id = FrameID(at: row.capturedAt) }
                rows.append(row)
            case .torn(let file, let why):
                guard try isStillUnknown(file.path, bytes: file.size, spool) else { continue }
                if try Quarantine(spool: spool).move(file.path, why) { report.quarantined += 1 }
                if let camera = file.path.split(separator: "/").first { try spool.latest.repair(of: String(camera)) }
            case .deleted(let file):
                guard try spool.catalog.row(at: file.path) == nil, try tombstone(at: file.path, spool) != nil else {
                    continue
                }
                // Its deletion was interrupted, or it reappeared after a power cut.
                let path = "\(spool.folder)/\(file.path)"
                if try spool.orSkip(try spool.files.remove(path, isFlushed: true)) != nil { report.removed += 1 }
            case .foreign: report.foreign += 1
            case .skipped(let error): if error.code != ENOENT { spool.noteSkipped(error) }
            }
        }
        guard !rows.isEmpty else { return }
        try spool.catalog.insert(rows, isDurable: true, at: spool.clock.wall)
        spool.retention.waiting.returnBefore(.min)
        report.takenIn += rows.count
    }

    func markLost(_ rows: [FrameRow], _ spool: OpenSpool) throws(Problem) {
        var lost: [FrameRow] = []
        for row in rows where try size(of: row.path, spool) == .some(nil) {
            let present = try spool.catalog.row(at: row.path)
            if let present, present.id == row.id, !present.isLost { lost.append(row) }
        }
        guard !lost.isEmpty else { return }
        for row in lost.prefix(max(0, Self.mostNamed - report.lost)) {
            logger.warning("The file of a frame is gone", metadata: ["frame": "\(row.id)", "path": "\(row.path)"])
        }
        report.lost += try spool.catalog.mark(lost.map(\.path), isLost: true)
    }

    func finish(_ walk: FolderWalk, _ marker: CleanShutdownMarker, _ spool: OpenSpool) throws(Problem) {
        report.missing = try spool.catalog.countLost()
        for camera in walk.cameras { try spool.latest.repair(of: camera) }
        let unread = walk.unread + unreadRows
        report.unread += unread
        if spool.comparison.isRebuilding { try spool.catalog.noteComparison() }
        spool.comparison.isRebuilding = false
        spool.comparison.isDue = false
        // The clip of a killed daemon may have been taken in.
        try spool.removeRecordings(isOpening: false)
        spool.comparison.result = unread == 0 ? (marker, skipped) : nil
        guard report.takenIn + report.quarantined + report.lost + report.found + report.removed > 0 else { return }
        logger.notice(
            "The catalog was corrected to agree with the folder",
            metadata: [
                "taken-in": "\(report.takenIn)", "quarantined": "\(report.quarantined)", "lost": "\(report.lost)",
                "found": "\(report.found)", "removed": "\(report.removed)", "foreign": "\(report.foreign)",
            ]
        )
    }

    /// Unexpired tombstone of a path; a file restored long after its deletion is kept.
    private func tombstone(at path: String, _ spool: OpenSpool) throws(Problem) -> Tombstone? {
        let tombstone = try spool.catalog.tombstones.at(path)
        return tombstone.flatMap { $0.deletedAt >= oldestTombstone(spool) ? $0 : nil }
    }

    /// Creation time of the oldest valid tombstones; no tombstone expires while the clock may be wrong.
    private func oldestTombstone(_ spool: OpenSpool) -> Timestamp {
        spool.retention.clock.hasNoHold ? Tombstone.oldest(at: spool.clock.wall) : Timestamp(microseconds: .min)
    }

    /// True if the file still has no row and the same size: one of another size may be in the process of being written.
    private func isStillUnknown(_ path: String, bytes: Int, _ spool: OpenSpool) throws(Problem) -> Bool {
        guard try spool.catalog.row(at: path) == nil, let size = try size(of: path, spool) ?? nil else { return false }
        if size != bytes { spool.comparison.skipped += 1 }
        return size == bytes
    }

    /// Size of the file at a path, `.some(nil)` if there is none, nil if that could not be found out.
    private func size(of path: String, _ spool: OpenSpool) throws(Problem) -> Int?? {
        try spool.orSkip(try spool.files.size(ofFile: "\(spool.folder)/\(path)"))
    }
}

extension VerificationReport {
    mutating func add(_ done: (quarantined: Int, lost: Int)) {
        quarantined += done.quarantined
        lost += done.lost
    }
}
