// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Steps of reconciling folder and catalog: each is short, checks its input again, and leaves a consistent state, so
/// that the process can be killed at any point.
extension Storage {
    /// Returns the files that have no row.
    ///
    /// A file whose length differs from its row was not flushed before a power cut: it is quarantined and its row
    /// marked as lost. A lost row whose file exists is restored.
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
            report.note(try setAside(row, why))
        }
        if !back.isEmpty {
            report.found += try catalog.mark(back, isLost: false)
            maintenance.totals = nil
        }
        return unknown
    }

    func settle(_ files: [ExaminedFile], _ report: inout VerificationReport) throws(Problem) {
        var (rows, ids): ([FrameRow], Set<FrameID>) = ([], [])
        lazy var oldest = oldestTombstone
        for file in files {
            switch file {
            case .picture(var row):
                guard try isStillUnknown(row.path, bytes: row.bytes) else { continue }
                let isTaken = try catalog.isTaken(row.id, since: oldest)
                // Copies of a picture have the same id in their EXIF data.
                if !ids.insert(row.id).inserted || isTaken { row.id = FrameID(at: row.capturedAt) }
                rows.append(row)
            case .torn(let file, let why):
                guard try isStillUnknown(file.path, bytes: file.size) else { continue }
                if try quarantine(file.path, why) { report.quarantined += 1 }
                if let camera = file.path.split(separator: "/").first { try repairLatest(of: String(camera)) }
            case .deleted(let file):
                guard try catalog.row(at: file.path) == nil, try tombstone(at: file.path) != nil else { continue }
                // Its deletion was interrupted, or it reappeared after a power cut.
                let removed: Void? = try orStay(try self.files.remove("\(folder)/\(file.path)", isFlushed: true))
                if removed != nil { report.removed += 1 }
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

    private static let mostNamed = 20

    func finishReconciling(_ report: VerificationReport, _ scan: FolderScan) throws(Problem) {
        for camera in scan.cameras { try repairLatest(of: camera) }
        // False if the spool was closed and opened again meanwhile.
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

    /// Unexpired tombstone of a path; a file restored long after its deletion is kept.
    private func tombstone(at path: String) throws(Problem) -> Tombstone? {
        guard let tombstone = try catalog.tombstone(at: path), tombstone.deletedAt >= oldestTombstone else {
            return nil
        }
        return tombstone
    }

    /// Creation time of the oldest valid tombstones; no tombstone expires while the clock may be wrong.
    private var oldestTombstone: Timestamp {
        let isTrusted = (maintenance.clock ?? savedClock())?.hold == nil
        return isTrusted ? Tombstone.oldest(at: clock.wall) : Timestamp(microseconds: .min)
    }

    private enum Sight: Hashable {
        case file(bytes: Int)
        /// No regular file.
        case nothing
        /// Status not available.
        case unknown
    }

    /// True if the file still has no row and the same size; one of another size may be in the process of being written
    /// and is left alone.
    private func isStillUnknown(_ path: String, bytes: Int) throws(Problem) -> Bool {
        guard try catalog.row(at: path) == nil else { return false }
        let present = try look(at: path)
        if case .file(bytes: let size) = present, size != bytes { maintenance.stayed += 1 }
        return present == .file(bytes: bytes)
    }

    /// Checks for a regular file at a path, without links on the way.
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

    /// Result of `call`; nil if it fails, after ``stay(_:)``.
    func orStay<Value>(_ call: @autoclosure () throws(FileError) -> Value) throws(Problem) -> Value? {
        do throws(FileError) {
            return try call()
        } catch {
            try stay(error)
            return nil
        }
    }

    /// Logs that a file is left as it is, and returns so that the others can continue; throws if the spool is unusable.
    func stay(_ error: FileError) throws(Problem) {
        try passOver(error)
        maintenance.stayed += 1
        logger.warning("\(error) It stays as it is until the next start or “tintype frames verify”.")
    }
}

extension VerificationReport {
    fileprivate mutating func note(_ done: (quarantined: Int, lost: Int)) {
        quarantined += done.quarantined
        lost += done.lost
    }
}
