// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import Synchronization
package import TintypeModel
internal import TintypeSystem

extension SpoolStore {
    /// Takes in complete pictures without a row, quarantines incomplete files, marks rows without a file as lost, and
    /// removes files of deleted frames that have reappeared.
    ///
    /// `deep` also verifies every picture against its checksum and quarantines those that differ. Without `isWhole`,
    /// skips folders unchanged since a clean shutdown. Can be interrupted at any point and repeated. Throws
    /// `spool-unavailable`, `spool-full`, `deadline-exceeded` and `stopping`.
    package func verify(
        deep: Bool = false,
        isWhole: Bool = true,
        until deadline: MonotonicTime
    ) async throws(Problem) -> VerificationReport {
        let number = progress.withLock { all in
            all.begun += 1
            all.running[all.begun] = VerificationProgress()
            return all.begun
        }
        defer { progress.withLock { $0.running[number] = nil } }
        return try await storage.inOneOpening(Reconciliation.verb, until: deadline) { opening throws(Problem) in
            let reconciliation = try await storage.perform(Reconciliation.verb, in: opening, until: deadline) {
                [self] spool in
                Reconciliation(of: spool, storage, isDeep: deep, isWhole: isWhole) { [self] part in
                    progress.withLock { $0.running[number]? = part }
                }
            }
            defer { reconciliation.isAbandoned.raise() }
            let scanner = WorkerThreads(name: "tt-scan", count: 1) {}
            let late = Problem.late(Reconciliation.verb, folder)
            return try await scanner.perform(until: deadline, by: clock, otherwise: late) { _ throws(Problem) in
                try reconciliation.run()
            }
        }
    }
}

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
    static let mostNamed = 20

    private let opening: UInt64
    private let bootID: String
    /// Start time, by the clock that sets folder times.
    private let begun: Timestamp
    /// ``ComparisonState/skipped`` at the start.
    let skipped: Int
    /// Marker that allows unchanged folders to be skipped; nil to walk all folders.
    private let marker: CleanShutdownMarker?
    /// Ends the comparison early.
    let isAbandoned = OnceFlag()
    private let storage: StorageThread
    /// True if pictures are read and verified against their checksums.
    private let isDeep: Bool
    private let note: @Sendable (VerificationProgress) -> Void
    private var progress = VerificationProgress() { didSet { note(progress) } }
    var report: VerificationReport
    /// Number of rows whose files could not be read.
    var unreadRows = 0

    private var folder: String { storage.folder }
    private var files: any FileSystem { storage.files }
    var logger: Logger { storage.logger }

    /// On the storage thread; without `isWhole`, the first comparison skips folders unchanged since a clean shutdown.
    init(
        of spool: OpenSpool,
        _ storage: StorageThread,
        isDeep: Bool,
        isWhole: Bool,
        _ note: @escaping @Sendable (VerificationProgress) -> Void
    ) {
        (self.storage, self.isDeep, self.note) = (storage, isDeep, note)
        let state = spool.comparison
        (opening, bootID, begun) = (spool.site.opening, spool.site.bootID, spool.clock.wall)
        skipped = state.skipped
        // After the first comparison, files and rows of the marker may have been deleted.
        marker = state.isDue && !isWhole && !state.isRebuilding ? state.marker : nil
        report = VerificationReport(spool: spool.configuration.name, isDeep: isDeep, damaged: isDeep ? [] : nil)
        if state.isDue { report.leftovers = state.leftovers }
    }

    /// Compares files and rows, repairs the differences, and returns a report; blocks.
    func run() throws(Problem) -> VerificationReport {
        try mergeCatalogsSetAside()

        // Files without a row, or with one of another length.
        var walk = try asProblem(try FolderWalk(folder, since: marker, files: files, logger: logger))
        while true {
            let found = walk.next(Self.step)
            guard !found.isEmpty else { break }
            progress.files += found.count
            var unknown = try step { [self] spool throws(Problem) in try unknownFiles(found, spool) }[...]
            while !unknown.isEmpty {
                let examined = examine(&unknown)
                try step { [self] spool throws(Problem) in try apply(examined, spool) }
            }
        }

        // Rows without a file, or with a damaged one.
        progress.of = try step { spool throws(Problem) in
            try spool.catalog.totals().values.reduce(0) { $0 + $1.frames + ($1.films ?? 0) }
        }
        var place: RowPlace? = marker == nil ? .behind(nil) : .behindPath("", passing: walk.passed)
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
                for (row, why) in damaged {
                    report.damaged?.append(row.id)
                    report.add(try Quarantine(spool: spool).isolate(row, found: why))
                }
            }
        }

        let marker = CleanShutdownMarker(moment: begun, folders: walk.folders)
        try step { [self, walk] spool throws(Problem) in try finish(walk, marker, spool) }
        return report
    }

    /// Runs `work` on the storage thread, in the opening of this comparison.
    private func step<Value: Sendable>(
        _ work: @escaping @Sendable (OpenSpool) throws(Problem) -> Value
    ) throws(Problem) -> Value {
        try storage.performBlocking(Self.verb, in: opening) { [self] spool throws(Problem) in
            guard !isAbandoned.isRaised else { throw .requestAbandoned }
            let skipped = spool.comparison.skipped
            defer { report.unread += spool.comparison.skipped - skipped }
            return try work(spool)
        }
    }

    // MARK: - On `tt-scan`

    /// Examines the first of these files, at least one, up to a limit of bytes, and removes them from the list.
    private func examine(_ unknown: inout ArraySlice<FoundFile>) -> [ExaminedFile] {
        let examiner = FileExaminer(spool: storage.configuration, files: files, bootID: bootID, clock: storage.clock)
        var examined: [ExaminedFile] = []
        var bytes = 0
        while let file = unknown.first {
            bytes += file.size
            guard examined.isEmpty || bytes <= Self.mostBytes else { break }
            examined.append(examiner.examine(file))
            unknown.removeFirst()
        }
        return examined
    }

    /// Returns the rows with missing files, and the rows whose files differ from the stored pictures, with the reasons.
    private func compare(_ rows: [FrameRow]) -> (missing: [FrameRow], damaged: [(row: FrameRow, why: String)]) {
        var (missing, damaged): ([FrameRow], [(FrameRow, String)]) = ([], [])
        for row in rows where !row.isLost {
            do throws(FileError) {
                let picture =
                    isDeep
                    ? try StoredPicture(row, in: folder, files, isDeep: true)
                    : try StoredPicture.fault(of: row, in: folder, files)
                switch picture {
                case .gone: missing.append(row)
                case .wrong(let why): damaged.append((row, why))
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
                try asProblem(try CatalogNote.record(names, in: spool.folder, mode: mode, spool.files))
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
}
