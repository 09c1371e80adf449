// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import Synchronization
package import TintypeModel
internal import TintypeSystem

/// One comparison of the files of a spool with the rows of its catalog, on a thread of its own, `tt-scan`.
///
/// That thread walks the folders and reads the files. Each change is a short step on the storage thread, between which
/// stills are stored; it checks its input again and leaves a consistent state, so that the process can be killed at any
/// point. The variables belong to `tt-scan`, and to the storage thread while `tt-scan` waits for a step.
final class Reconciliation: @unchecked Sendable {
    static let verb = "be verified"
    /// Number of files or rows per step on the storage thread.
    private static let step = 200
    /// Maximum bytes read between two steps.
    private static let mostBytes = 32 << 20
    private static let mostNamed = 20

    private let storage: StorageThread
    private let opening: UInt64
    /// True if pictures are read and verified against their checksums.
    private let isDeep: Bool
    /// False to skip folders unchanged since a clean shutdown, if this is the first comparison in this opening.
    private let isWhole: Bool
    private let isAbandoned: OnceFlag
    private let note: @Sendable (VerificationProgress) -> Void
    private var progress = VerificationProgress() { didSet { note(progress) } }
    private var report: VerificationReport
    /// Number of rows whose files could not be read.
    private var unreadRows = 0

    private var folder: String { storage.folder }
    private var files: any FileSystem { storage.files }
    private var logger: Logger { storage.logger }

    /// Ends early once `isAbandoned` is raised; passes its progress to `note`.
    init(
        _ storage: StorageThread,
        in opening: UInt64,
        isDeep: Bool,
        isWhole: Bool,
        isAbandoned: OnceFlag,
        _ note: @escaping @Sendable (VerificationProgress) -> Void
    ) {
        (self.storage, self.opening, self.isDeep, self.isWhole) = (storage, opening, isDeep, isWhole)
        (self.isAbandoned, self.note) = (isAbandoned, note)
        report = VerificationReport(spool: storage.configuration.name, isDeep: isDeep, damaged: isDeep ? [] : nil)
    }

    /// Compares files and rows, repairs the differences, and returns a report; blocks.
    func run() throws(Problem) -> VerificationReport {
        let start = try step { [self] spool throws(Problem) in
            let state = spool.comparison
            if state.isDue { report.leftovers = state.leftovers }
            // After the first comparison, files and rows of the marker may have been deleted.
            let marker = state.isDue && !isWhole && !state.isRebuilding ? state.marker : nil
            return Start(begun: spool.clock.wall, bootID: spool.site.bootID, skipped: state.skipped, marker: marker)
        }
        try mergeCatalogsSetAside()

        // Files without a row, or with one of another length.
        var walk = try asProblem(try FolderWalk(folder, since: start.marker, files: files, logger: logger))
        while true {
            let found = walk.next(Self.step)
            guard !found.isEmpty else { break }
            progress.files += found.count
            var unknown = try step { [self] spool throws(Problem) in try unknownFiles(found, spool) }[...]
            while !unknown.isEmpty {
                let examined = examine(&unknown, start)
                try step { [self] spool throws(Problem) in try apply(examined, spool) }
            }
        }

        // Rows without a file, or with a damaged one.
        progress.of = try step { spool throws(Problem) in
            try spool.catalog.totals().values.reduce(0) { $0 + $1.frames }
        }
        var place: RowPlace? = start.marker == nil ? .behind(nil) : .behindPath("", passing: walk.passed)
        while let present = place {
            let (rows, next) = try step { spool throws(Problem) in
                try spool.catalog.rowsToCompare(from: present, limit: Self.step)
            }
            place = next
            let (missing, damaged) = compare(rows)
            progress.frames += rows.count
            guard !missing.isEmpty || !damaged.isEmpty else { continue }
            try step { [self] spool throws(Problem) in
                try markLost(missing, spool)
                for row in damaged {
                    report.damaged?.append(row.id)
                    report.add(try Quarantine(spool: spool).isolate(row))
                }
            }
        }

        try step { [self, walk] spool throws(Problem) in try finish(start, walk, spool) }
        return report
    }

    /// Runs `work` on the storage thread, in the opening of this comparison.
    private func step<Value: Sendable>(
        _ work: @escaping @Sendable (OpenSpool) throws(Problem) -> Value
    ) throws(Problem) -> Value {
        guard !isAbandoned.isRaised else { throw .requestAbandoned }
        return try storage.performBlocking(Self.verb, in: opening) { [self] spool throws(Problem) in
            let skipped = spool.comparison.skipped
            defer {
                report.unread += spool.comparison.skipped - skipped
                spool.admission.forgetTotals()
            }
            return try work(spool)
        }
    }

    // MARK: - On `tt-scan`

    /// Examines the first of these files, at least one, up to a limit of bytes, and removes them from the list.
    private func examine(_ unknown: inout ArraySlice<UnknownFile>, _ start: Start) -> [ExaminedFile] {
        var examined: [ExaminedFile] = []
        var bytes = 0
        while let file = unknown.first {
            bytes += file.file.size
            guard examined.isEmpty || bytes <= Self.mostBytes else { break }
            let result = file.examine(storage.configuration, files: files, bootID: start.bootID, storage.clock)
            examined.append(result)
            unknown.removeFirst()
        }
        return examined
    }

    /// Returns the rows with missing files, and the rows whose files differ from the stored pictures.
    private func compare(_ rows: [FrameRow]) -> (missing: [FrameRow], damaged: [FrameRow]) {
        var (missing, damaged): ([FrameRow], [FrameRow]) = ([], [])
        for row in rows where !row.isLost {
            do throws(FileError) {
                let picture =
                    isDeep
                    ? try StoredPicture(row, in: folder, files) : try StoredPicture.fault(of: row, in: folder, files)
                switch picture {
                case .gone: missing.append(row)
                case .wrong: damaged.append(row)
                case .whole, nil: break
                }
            } catch  where error.code == ENOENT {
                // Deleted a moment ago.
            } catch {
                unreadRows += 1
                logger.warning("\(error) The picture could not be checked.")
            }
        }
        return (missing, damaged)
    }

    /// Merges the readable rows of catalogs that were set aside: pins, tags and deletions are in no other file.
    private func mergeCatalogsSetAside() throws(Problem) {
        let names = try step { spool throws(Problem) in
            try asProblem(try CatalogNote.catalogsToSalvage(in: spool.folder, spool.files))
        }
        guard let names else { return }
        // Names of the catalogs that have yet to be read, last one first.
        var left = names
        func noteSalvage() throws(Problem) {
            try step { [left] spool throws(Problem) in
                let (mode, names) = (spool.configuration.fileMode, left.reversed() as [String])
                try asProblem(try CatalogNote.note(salvageOf: names, in: spool.folder, mode: mode, spool.files))
            }
        }
        if names.isEmpty { try noteSalvage() }
        for name in names {
            let oldest = Tombstone.oldest(at: storage.clock.wall)
            var salvage = CatalogSalvage(path: "\(folder)/\(name)", oldestTombstone: oldest)
            defer { salvage.close() }
            var count = 0
            while let part = salvage.next(Self.step) {
                count += try step { spool throws(Problem) in try part.merge(into: spool.catalog) }
            }
            if let obstacle = salvage.obstacle {
                logger.error(
                    "The damaged catalog \(folder)/\(name) cannot be read now; the next comparison takes over what can be read",
                    metadata: ["reason": "\(obstacle)"]
                )
            } else {
                // Recorded one by one: reading a catalog again would undo later changes.
                left.removeAll { $0 == name }
                try noteSalvage()
                logger.notice("Took over what could be read of the damaged catalog", metadata: ["frames": "\(count)"])
            }
        }
    }

    // MARK: - On the storage thread

    private struct Start {
        /// Start time, by the clock that sets folder times.
        let begun: Timestamp
        let bootID: String
        /// ``ComparisonState/skipped`` at the start.
        let skipped: Int
        /// Marker that allows unchanged folders to be skipped; nil to walk all folders.
        let marker: CleanShutdownMarker?
    }

    /// Returns the files that have no row.
    ///
    /// A file whose length differs from its row was not flushed before a power cut: it is quarantined and its row
    /// marked as lost. A lost row whose file exists is restored.
    private func unknownFiles(_ found: [FoundFile], _ spool: OpenSpool) throws(Problem) -> [UnknownFile] {
        var unknown: [UnknownFile] = []
        var back: [String] = []
        for file in found {
            guard let row = try spool.catalog.row(at: file.path) else {
                let tombstone = try tombstone(at: file.path, spool)
                unknown.append(UnknownFile(file: file, deleted: tombstone?.sha256))
                continue
            }
            if row.bytes == file.size {
                if row.isLost { back.append(file.path) }
            } else if try presence(of: file.path, spool) == .file(bytes: file.size) {
                let why = StoredPicture.text(ofLength: file.size, row)
                report.add(try Quarantine(spool: spool).isolate(row, why))
            }
        }
        if !back.isEmpty { report.found += try spool.catalog.mark(back, isLost: false) }
        return unknown
    }

    /// Takes in whole pictures, quarantines torn ones, and removes deleted ones that have reappeared.
    private func apply(_ files: [ExaminedFile], _ spool: OpenSpool) throws(Problem) {
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
        report.takenIn += rows.count
    }

    private func markLost(_ rows: [FrameRow], _ spool: OpenSpool) throws(Problem) {
        var lost: [FrameRow] = []
        for row in rows where try presence(of: row.path, spool) == .nothing {
            let present = try spool.catalog.row(at: row.path)
            if let present, present.id == row.id, !present.isLost { lost.append(row) }
        }
        guard !lost.isEmpty else { return }
        for row in lost.prefix(max(0, Self.mostNamed - report.lost)) {
            logger.warning("The file of a frame is gone", metadata: ["frame": "\(row.id)", "path": "\(row.path)"])
        }
        report.lost += try spool.catalog.mark(lost.map(\.path), isLost: true)
    }

    private func finish(_ start: Start, _ walk: FolderWalk, _ spool: OpenSpool) throws(Problem) {
        report.missing = try spool.catalog.totals().values.reduce(0) { $0 + $1.lost }
        for camera in walk.cameras { try spool.latest.repair(of: camera) }
        let unread = walk.unread + unreadRows
        report.unread += unread
        if spool.comparison.isRebuilding { try spool.catalog.noteComparison() }
        spool.comparison.isRebuilding = false
        spool.comparison.isDue = false
        let marker = CleanShutdownMarker(moment: start.begun, folders: walk.folders)
        spool.comparison.result = unread == 0 ? (marker, start.skipped) : nil
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

    private enum Presence: Hashable {
        case file(bytes: Int)
        /// No regular file.
        case nothing
        /// Status not available.
        case unknown
    }

    /// True if the file still has no row and the same size; one of another size may be in the process of being written
    /// and is left alone.
    private func isStillUnknown(_ path: String, bytes: Int, _ spool: OpenSpool) throws(Problem) -> Bool {
        guard try spool.catalog.row(at: path) == nil else { return false }
        let present = try presence(of: path, spool)
        if case .file(bytes: let size) = present, size != bytes { spool.comparison.skipped += 1 }
        return present == .file(bytes: bytes)
    }

    /// Checks for a regular file at a path, without links on the way.
    private func presence(of path: String, _ spool: OpenSpool) throws(Problem) -> Presence {
        do throws(FileError) {
            let status = try spool.files.status(of: "\(spool.folder)/\(path)", following: false)
            guard let status, status.kind == .file else { return .nothing }
            return .file(bytes: status.size)
        } catch  where error.isOnTheWay {
            return .nothing
        } catch {
            try spool.skip(error)
            return .unknown
        }
    }
}

extension VerificationReport {
    fileprivate mutating func add(_ done: (quarantined: Int, lost: Int)) {
        quarantined += done.quarantined
        lost += done.lost
    }
}

extension SpoolStore {
    /// Reconciles folder and catalog, and returns a report.
    ///
    /// Complete pictures without a row are taken in, incomplete files are quarantined, rows without a file are marked
    /// as lost, and files of deleted frames that have reappeared are removed; `deep` also verifies every picture against its checksum and
    /// quarantines those that differ. Without `isWhole`, skips folders unchanged since a clean shutdown. Can be interrupted at any point and repeated. Throws `spool-unavailable`,
    /// `spool-full`, `deadline-exceeded` and `stopping`.
    package func verify(
        deep: Bool = false,
        isWhole: Bool = true,
        until deadline: MonotonicTime
    ) async throws(Problem) -> VerificationReport {
        let number = progress.withLock { all in
            let number = (all.keys.max() ?? 0) + 1
            all[number] = VerificationProgress()
            return number
        }
        defer { progress.withLock { $0[number] = nil } }
        return try await storage.inOneOpening(Reconciliation.verb, until: deadline) { opening throws(Problem) in
            let isAbandoned = OnceFlag()
            defer { isAbandoned.raise() }
            let reconciliation = Reconciliation(
                storage,
                in: opening,
                isDeep: deep,
                isWhole: isWhole,
                isAbandoned: isAbandoned
            ) { [self] part in progress.withLock { $0[number]? = part } }
            let scanner = WorkerThreads(name: "tt-scan", count: 1) {}
            let late = Problem.late(Reconciliation.verb, folder)
            return try await scanner.perform(until: deadline, by: clock, otherwise: late) { _ throws(Problem) in
                try reconciliation.run()
            }
        }
    }
}
