// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// An open spool: everything that blocks, on the storage thread.
final class Storage {
    private(set) var configuration: Spool.Configuration
    let files: any FileSystem
    let clock: any MonotonicClock
    let logger: Logger
    let tell: EventSink
    let catalog: Catalog

    /// Where it is, and what was found there.
    let site: SpoolSite

    var folders = KnownFolders()
    /// The number that the next picture of a name will have, for names that were given of late.
    var nextAttempts: [SpoolPath: Int] = [:]
    /// How new the still is that each camera's `latest.jpg` shows.
    var shown: [String: Newness] = [:]
    /// How often the catalog has failed since it last took a row.
    var catalogFailures = 0

    /// The memory between two rounds of maintenance.
    var maintenance = MaintenanceState()
    private var isOpen = true

    var folder: String { configuration.folder }
    var incoming: String { "\(folder)/.incoming" }

    /// Opens the spool: see ``Spool/openOrWait(_:logger:files:clock:tell:until:)``; blocks.
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

    /// Goes by the rules of another configuration, which is the same place.
    func use(_ other: Spool.Configuration) {
        configuration = other
        maintenance.forgetRules()
    }

    /// Checkpoints and closes the catalog and lets go of the folder.
    ///
    /// In good order is not because something has failed: the next start then looks only at what has changed.
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

    /// The row of that id; throws `frame-not-found`.
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

/// The place of an open spool.
struct SpoolSite {
    let lock: SpoolLock
    /// The file system that it is on (`st_dev`).
    let device: UInt64
    /// The weaker promise of that; nil if it keeps all.
    let limit: SpoolLimit?
    /// The running boot.
    let bootID: String
}

/// Folders of a spool that need not be made or flushed again, relative to it.
struct KnownFolders {
    /// How many are remembered before it starts over.
    static let most = 1024

    /// They are there.
    var made: Set<String> = []
    /// Their names have reached the disk, up to the spool.
    var synced: Set<String> = []
}
