// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// The part of a comparison of folder and catalog that only reads files, on the thread `tt-scan`.
struct FolderScan: Sendable {
    let spool: String
    /// Files in `.incoming` that the opening removed, if this is the first comparison since.
    let leftovers: Int
    /// Which opening of the spool it is about.
    let opening: UInt64
    /// When it began, by the clock that gives folders their times.
    let begun: Timestamp
    /// How much had ``MaintenanceState/stayed`` by then.
    let stayed: Int

    private let configuration: Spool.Configuration
    private let files: any FileSystem
    private let logger: Logger
    private let bootID: String
    private let clock: any MonotonicClock
    /// Whether pictures are read and compared with their checksums.
    let isDeep: Bool
    /// What tells which folders need not be gone through; nil where all have to.
    let mark: CleanMark?
    private var walk: FolderWalk?
    /// How many files of rows could not be read.
    private var unreadRows = 0

    /// The most bytes of files that are read between two steps on the storage thread.
    private static let mostBytes = 32 << 20

    /// A comparison of all folders, or of those that may have changed since the spool was closed, where that is known.
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
        // Later, files and rows may have gone that the mark tells of.
        let isFirst = storage.maintenance.needsReconcile
        mark = isFirst && !isWhole && !storage.maintenance.isRebuilding ? storage.maintenance.mark : nil
    }

    /// The cameras that have a folder; none before the walk has begun.
    var cameras: [String] { walk?.cameras ?? [] }

    var passed: Set<String> { walk?.passed ?? [] }

    /// How many folders and files could not be read.
    var unread: Int { (walk?.unread ?? 0) + unreadRows }

    /// What a spool can leave that this was the last comparison of; nil where it could not look at everything.
    var result: CleanMark? {
        guard let walk, unread == 0 else { return nil }
        return CleanMark(moment: begun, folders: walk.folders)
    }

    /// The next files, at most `count`; none at the end.
    mutating func next(_ count: Int) throws(Problem) -> [FoundFile] {
        NamedThread.assertMayBlock("walking through the spool")
        do throws(FileError) {
            if walk == nil { walk = try FolderWalk(configuration.folder, since: mark, files: files, logger: logger) }
            return walk?.next(count) ?? []
        } catch {
            throw error.problem
        }
    }

    /// Finds out what the first of these files are: as many as are read soon, at least one.
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

    /// Those of the rows whose files are gone, and those whose pictures are not what was stored.
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
                // It was deleted just now.
            } catch {
                unreadRows += 1
                logger.warning("\(error) The picture could not be checked.")
            }
        }
        return (missing, damaged)
    }

    /// The fault of a row's file; only ``isDeep`` looks into it.
    private func found(_ row: FrameRow) throws(FileError) -> StoredPicture? {
        guard !isDeep else { return try StoredPicture(row, in: configuration.folder, files) }
        return try StoredPicture.wrongAtFirstSight(row, in: configuration.folder, files)
    }
}
