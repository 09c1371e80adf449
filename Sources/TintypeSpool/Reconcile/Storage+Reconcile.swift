// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// The steps of bringing folder and catalog into agreement: each is short, looks again at what it was told, and leaves a
/// state from which all can begin again, so that it may be killed at any point.
extension Storage {
    /// Which of the files that a walk came by have no row.
    ///
    /// A file of another length than its row says is what was not flushed when the power went: it is quarantined, and
    /// its row lost. A row that was lost and whose file is there is found.
    func unknownFiles(_ found: [FoundFile], _ report: inout VerificationReport) throws(Problem) -> [UnknownFile] {
        var unknown: [UnknownFile] = []
        var back: [String] = []
        for file in found {
            guard let row = try catalog.row(at: file.path) else {
                unknown.append(UnknownFile(file: file, deleted: try tombstone(at: file.path)?.sha256))
                continue
            }
            guard row.bytes != file.size else {
                if row.isLost { back.append(file.path) }
                continue
            }
            guard try look(at: file.path) == .file(bytes: file.size) else { continue }
            let why = "it has \(file.size) bytes where \(row.bytes) were stored"
            report.note(try setAside(file.path, why))
        }
        if !back.isEmpty {
            report.found += try catalog.mark(back, isLost: false)
            maintenance.totals = nil
        }
        return unknown
    }

    /// Does with files what they turned out to need.
    func settle(_ files: [ExaminedFile], _ report: inout VerificationReport) throws(Problem) {
        var (rows, ids): ([FrameRow], Set<FrameID>) = ([], [])
        lazy var oldest = oldestTombstone
        for file in files {
            switch file {
            case .picture(var row):
                guard try isStillUnknown(row.path, bytes: row.bytes) else { continue }
                let isTaken = try catalog.isTaken(row.id, since: oldest)
                // Copies of one picture have its id in their EXIF data.
                if !ids.insert(row.id).inserted || isTaken { row.id = FrameID(at: row.capturedAt) }
                rows.append(row)
            case .torn(let file, let why):
                guard try isStillUnknown(file.path, bytes: file.size) else { continue }
                if try quarantine(file.path, why) { report.quarantined += 1 }
            case .deleted(let file):
                guard try catalog.row(at: file.path) == nil, try tombstone(at: file.path) != nil else { continue }
                if try removeFile(file.path) { report.removed += 1 }
            case .foreign: report.foreign += 1
            case .skipped(let error):
                if error.code == ENOENT { continue }
                maintenance.stayed += 1
                logger.warning("\(error) It stays as it is until the next start or “tintype frames verify”.")
            }
        }
        guard !rows.isEmpty else { return }
        try catalog.insert(rows, isDurable: true, at: clock.wall)
        report.takenIn += rows.count
        maintenance.totals = nil
    }

    func setAside(_ damaged: [FrameRow], _ report: inout VerificationReport) throws(Problem) {
        for row in damaged {
            report.damaged?.append(row.id)
            report.note(try setAside(row))
        }
    }

    /// Marks those of the rows as lost whose files are gone.
    func markLost(_ rows: [FrameRow], _ report: inout VerificationReport) throws(Problem) {
        var lost: [FrameRow] = []
        for row in rows where try look(at: row.path) == .nothing {
            if let present = try catalog.row(at: row.path), present.id == row.id, !present.isLost { lost.append(row) }
        }
        guard !lost.isEmpty else { return }
        report.lost += try catalog.mark(lost.map(\.path), isLost: true)
        for row in lost.prefix(max(0, Self.mostNamed - report.lost + lost.count)) {
            logger.warning("The file of a frame is gone", metadata: ["frame": "\(row.id)", "path": "\(row.path)"])
        }
    }

    /// The most lost files that are named in the log one by one.
    private static let mostNamed = 20

    /// Lets every camera's `latest.jpg` lead to its newest picture again, and says what was done.
    func finishReconciling(_ report: VerificationReport, _ scan: FolderScan) throws(Problem) {
        for camera in scan.cameras { try repairLatest(of: camera) }
        // Unless the spool was closed and opened again meanwhile.
        if scan.opening == maintenance.opening {
            if maintenance.isRebuilding { try catalog.noteComparison() }
            maintenance.isRebuilding = false
            maintenance.needsReconcile = false
            maintenance.agreement = scan.result.map { ($0, scan.stayed) }
        }
        guard report.takenIn + report.quarantined + report.lost + report.found + report.removed > 0 else { return }
        logger.notice(
            "The catalog was corrected to agree with the folder",
            metadata: [
                "taken-in": "\(report.takenIn)", "quarantined": "\(report.quarantined)", "lost": "\(report.lost)",
                "found": "\(report.found)", "removed": "\(report.removed)", "foreign": "\(report.foreign)",
            ]
        )
    }

    /// The tombstone over a path that still counts: a file that is put back long after it was deleted is wanted.
    private func tombstone(at path: String) throws(Problem) -> Tombstone? {
        guard let tombstone = try catalog.tombstone(at: path), tombstone.deletedAt >= oldestTombstone else {
            return nil
        }
        return tombstone
    }

    /// When the oldest tombstones were made that still count: all of them, as long as the clock may have been set wrong.
    private var oldestTombstone: Timestamp {
        let isTrusted = (maintenance.clock ?? savedClock())?.hold == nil
        return isTrusted ? Tombstone.oldest(at: clock.wall) : Timestamp(microseconds: .min)
    }

    private enum Sight: Hashable {
        case file(bytes: Int)
        /// No regular file.
        case nothing
        /// It cannot be looked at.
        case unknown
    }

    /// Whether a file is there that has no row, and is as it was found: another may be being written, and is left.
    private func isStillUnknown(_ path: String, bytes: Int) throws(Problem) -> Bool {
        guard try catalog.row(at: path) == nil else { return false }
        let present = try look(at: path)
        if case .file(bytes: let size) = present, size != bytes { maintenance.stayed += 1 }
        return present == .file(bytes: bytes)
    }

    /// Looks whether a regular file is at a path, and no link on the way to it.
    private func look(at path: String) throws(Problem) -> Sight {
        do throws(FileError) {
            let status = try files.status(of: "\(folder)/\(path)", following: false)
            guard let status, status.kind == .file else { return .nothing }
            return .file(bytes: status.size)
        } catch  where error.isOnTheWay {
            return .nothing
        } catch {
            try stay(error)
            return .unknown
        }
    }

    /// Removes a file whose deletion was interrupted, or that a power cut brought back; false where it stays.
    private func removeFile(_ path: String) throws(Problem) -> Bool {
        do throws(FileError) {
            try files.remove("\(folder)/\(path)", isFlushed: true)
            return true
        } catch {
            try stay(error)
            return false
        }
    }

    /// Says that a file stays as it is, and returns so that the others can be gone on with; throws where the spool itself
    /// cannot be used any more.
    func stay(_ error: FileError) throws(Problem) {
        try passOver(error)
        maintenance.stayed += 1
        logger.warning("\(error) It stays as it is until the next start or “tintype frames verify”.")
    }
}

extension VerificationReport {
    /// Counts files and rows that were set aside.
    fileprivate mutating func note(_ done: (quarantined: Int, lost: Int)) {
        quarantined += done.quarantined
        lost += done.lost
    }
}
