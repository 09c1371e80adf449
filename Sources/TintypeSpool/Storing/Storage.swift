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

    /// Properties of the location, found at the opening.
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
        let opening = SpoolOpening(
            configuration: configuration,
            files: files,
            clock: clock,
            logger: logger,
            tell: tell
        )
        let prepared = try opening.prepareFolders()
        maintenance.leftovers = prepared.leftovers
        do throws(Problem) {
            site = SpoolSite(
                lock: prepared.lock,
                device: try asProblem(try opening.checkedDevice()),
                limit: try asProblem(try opening.limit()),
                bootID: opening.bootID()
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

    /// Applies the rules of another configuration of the same location.
    func use(_ other: Spool.Configuration) {
        configuration = other
        maintenance.forgetRules()
    }

    /// Checkpoints and closes the catalog and unlocks the folder.
    ///
    /// `inGoodOrder` is false after a failure; otherwise the next start checks only changed folders.
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
    func row(_ id: FrameID) throws(Problem) -> FrameRow {
        guard let row = try catalog.row(id) else {
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
}

/// Cache of folders that need not be created or flushed again, relative to the spool.
struct KnownFolders {
    /// Number of entries after which the cache is cleared.
    static let most = 1024

    var made: Set<String> = []
    /// Folders whose names are flushed, up to the spool.
    var synced: Set<String> = []
}
