// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// The read-only part of a comparison of folder and catalog, on the thread `tt-scan`.
struct FolderScan: Sendable {
    let spool: String
    /// Number of files removed from `.incoming` at the opening, if this is the first comparison since.
    let leftovers: Int
    let opening: UInt64
    /// Start time, by the clock that sets folder times.
    let begun: Timestamp
    /// ``MaintenanceState/stayed`` at the start.
    let stayed: Int

    private let configuration: Spool.Configuration
    private let files: any FileSystem
    private let logger: Logger
    private let bootID: String
    private let clock: any MonotonicClock
    /// True if pictures are read and verified against their checksums.
    let isDeep: Bool
    /// Mark that allows unchanged folders to be skipped; nil to walk all folders.
    let mark: CleanMark?
    private var walk: FolderWalk?
    private var unreadRows = 0

    /// Maximum bytes read between two steps on the storage thread.
    private static let mostBytes = 32 << 20

    /// Compares all folders if `isWhole`, else those that may have changed since the spool was closed, if known.
    init(_ storage: Storage, isDeep: Bool, isWhole: Bool) {
        spool = storage.configuration.name
        leftovers = storage.maintenance.needsReconcile ? storage.maintenance.leftovers : 0
        opening = storage.maintenance.opening
        configuration = storage.configuration
        files = storage.files
        logger = storage.logger
        bootID = storage.site.bootID
        clock = storage.clock
        begun = clock.wall
        self.isDeep = isDeep
        stayed = storage.maintenance.stayed
        // After the first comparison, files and rows of the mark may have been deleted.
        let isFirst = storage.maintenance.needsReconcile
        mark = isFirst && !isWhole && !storage.maintenance.isRebuilding ? storage.maintenance.mark : nil
    }

    /// Cameras with a folder; empty before the walk starts.
    var cameras: [String] { walk?.cameras ?? [] }

    var passed: Set<String> { walk?.passed ?? [] }

    var unread: Int { (walk?.unread ?? 0) + unreadRows }

    /// Mark to leave if this is the last comparison; nil if anything was unreadable.
    var result: CleanMark? {
        guard let walk, unread == 0 else { return nil }
        return CleanMark(moment: begun, folders: walk.folders)
    }

    /// Next files, at most `count`; empty at the end.
    mutating func next(_ count: Int) throws(Problem) -> [FoundFile] {
        NamedThread.assertMayBlock("walking through the spool")
        if walk == nil {
            walk = try asProblem(try FolderWalk(configuration.folder, since: mark, files: files, logger: logger))
        }
        return walk?.next(count) ?? []
    }

    /// Examines the first of these files, at least one, up to a limit of bytes.
    func examine(_ unknown: ArraySlice<UnknownFile>) -> [ExaminedFile] {
        var examined: [ExaminedFile] = []
        var bytes = 0
        for file in unknown {
            bytes += file.file.size
            guard examined.isEmpty || bytes <= Self.mostBytes else { break }
            examined.append(file.examine(configuration, files: files, bootID: bootID, clock))
        }
        return examined
    }

    /// Returns the rows with missing files, and the rows whose files differ from the stored pictures.
    mutating func compare(_ rows: [FrameRow]) -> (missing: [FrameRow], damaged: [FrameRow]) {
        var missing: [FrameRow] = []
        var damaged: [FrameRow] = []
        for row in rows where !row.isLost {
            do throws(FileError) {
                switch try found(row) {
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

    /// State of a row's file; its contents are read only if ``isDeep``.
    private func found(_ row: FrameRow) throws(FileError) -> StoredPicture? {
        guard !isDeep else { return try StoredPicture(row, in: configuration.folder, files) }
        return try StoredPicture.wrongAtFirstSight(row, in: configuration.folder, files)
    }
}
