// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// An open spool; blocking, used on the storage thread.
final class Storage {
    private(set) var configuration: Spool.Configuration
    let files: any FileSystem
    let clock: any MonotonicClock
    let logger: Logger
    let tell: EventSink
    let catalog: Catalog

    let site: SpoolSite

    var folders = KnownFolders()
    /// Next attempt number of recently used names.
    var nextAttempts: [SpoolPath: Int] = [:]
    var shown: [String: Newness] = [:]
    /// Number of catalog failures since the last successful insert.
    var catalogFailures = 0

    var maintenance = MaintenanceState()
    private var isOpen = true

    var folder: String { configuration.folder }
    var incoming: String { "\(folder)/.incoming" }

    /// See ``Spool/openOrWait(_:logger:files:clock:tell:until:)``; blocks.
    init(
        _ configuration: Spool.Configuration,
        files: any FileSystem,
        clock: any MonotonicClock,
        logger: Logger,
        tell: @escaping EventSink
    ) throws(Problem) {
        NamedThread.assertMayBlock("opening the spool")
        self.configuration = configuration
        self.files = files
        self.clock = clock
        self.logger = logger
        self.tell = tell
        let opening = SpoolOpening(configuration: configuration, files: files, clock: clock, logger: logger, tell: tell)
        let prepared = try opening.prepareFolders()
        maintenance.leftovers = prepared.leftovers
        do throws(Problem) {
            site = SpoolSite(
                lock: prepared.lock,
                device: try asProblem(try opening.checkedDevice()),
                limit: try asProblem(try opening.limit()),
                bootID: opening.bootID(),
                lack: prepared.lack
            )
            maintenance.mark = try asProblem(
                try CleanMark.take(from: configuration.folder, bootID: opening.bootID(), at: clock.wall, files)
            )
            catalog = try opening.openCatalog()
            maintenance.isRebuilding = try !catalog.wasCompared()
        } catch {
            prepared.lock.release(files)
            throw error
        }
    }

    deinit { close() }

    func use(_ other: Spool.Configuration) {
        configuration = other
        maintenance.forgetRules()
    }

    /// Checkpoints and closes the catalog and unlocks the folder; `inGoodOrder` is false after a failure, otherwise the
    /// next start checks only changed folders.
    func close(inGoodOrder: Bool = false) {
        guard isOpen else { return }
        isOpen = false
        markDamage()
        do throws(Problem) {
            try catalog.close()
            if inGoodOrder { leaveMark() }
        } catch {
            logger.warning("\(error.detail) The next start compares folder and catalog.")
        }
        site.lock.release(files)
    }

    private func leaveMark() {
        guard let (mark, stayed) = maintenance.agreement, stayed == maintenance.stayed, catalog.damage == nil else {
            return
        }
        do throws(FileError) {
            try mark.leave(in: folder, mode: configuration.fileMode, bootID: site.bootID, files)
        } catch {
            logger.debug("\(error) The next start compares all of folder and catalog.")
        }
    }

    /// Throws `frame-not-found`.
    func row(_ id: FrameID) throws(Problem) -> FrameRow { try present(try catalog.row(id), id) }

    /// Throws `frame-not-found`.
    func numberedRow(_ id: FrameID) throws(Problem) -> NumberedRow { try present(try catalog.numberedRow(id), id) }

    private func present<Row>(_ row: Row?, _ id: FrameID) throws(Problem) -> Row {
        guard let row else {
            throw Problem(
                .frameNotFound,
                "No frame \(id) is in the spool \(folder).",
                remedy: "Use the id of a stored still's record."
            )
        }
        return row
    }
}

struct SpoolSite {
    let lock: SpoolLock
    /// `st_dev`.
    let device: UInt64
    /// Reduced durability of the file system; nil if durability is full.
    let limit: SpoolLimit?
    let bootID: String
    /// Error of a write during the opening, if the disk was full.
    let lack: FileError?
}

/// Cache of folders that need not be created or flushed again, relative to the spool.
struct KnownFolders {
    static let most = 1024

    var made: Set<String> = []
    /// Folders whose names are flushed, up to the spool.
    var synced: Set<String> = []
}

struct MaintenanceState {
    let opening = UInt64.random(in: .min ... .max)
    /// Files removed from `.incoming` at the opening.
    var leftovers = 0
    /// True until folder and catalog have been compared in this opening.
    var needsReconcile = true
    /// Mark of the last clean shutdown, for the first comparison.
    var mark: CleanMark?
    /// Mark to leave at a clean shutdown, and ``stayed`` at its comparison; nil before the comparison.
    var agreement: (mark: CleanMark, stayed: Int)?
    /// Number of times a disagreement between file and row was left unresolved.
    var stayed = 0
    /// Nil until the first use.
    var plan: RetentionPlan?
    /// Nil until the first use.
    var clock: ClockMemory?
    var clockSaved: ClockMemory?
    /// Time of the last complete pass by age, and uptime of the last one over all pictures; nil before the first.
    var lastAges: (now: Timestamp, whole: Duration)?
    /// True if the catalog is new and not yet filled from the folder: older pictures may have no rows.
    var isRebuilding = false
    var unremovable = UnremovableFiles()
    var room = RoomWatch()
    /// True if the file system was last too full for retention to free enough space.
    var isHopeless = false
    /// Time of the last deletions for inodes or a quota by camera, until the next stored picture of the camera.
    var madeRoomForFiles: [String: MonotonicTime] = [:]
    /// Cached totals by camera, an upper bound after deletions; nil until needed.
    var totals: [String: FrameTotals]?
    /// Totals of admitted pictures that may not have a row yet, the time of admission, and the totals before them.
    var admitted: (totals: [String: FrameTotals], since: MonotonicTime, before: [String: FrameTotals])?

    /// Discards state derived from the retention rules, since new rules may affect older pictures.
    mutating func forgetRules() {
        plan = nil
        lastAges = nil
        isHopeless = false
    }
}
