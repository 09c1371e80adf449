// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
package import Logging
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// A folder of pictures with the catalog of what is in it.
///
/// Pictures are written by some threads side by side, `tt-store`, and what clients read of a healthy catalog and of whole
/// pictures is read on one, `tt-read`; all other work on files and on SQLite is done on one, `tt-spool`, in the order in
/// which it was asked for. Callers suspend, at most until their deadline: a disk that does not answer holds up no other.
/// After a failure of the disk it is closed, and opened again automatically: ``run()``.
package final class Spool: Sendable {
    /// The state that lives on the storage thread.
    struct Slot: ~Copyable {
        /// Nil before the spool is opened, while it is unavailable, and once it is closed.
        var storage: Storage?
        /// Where it was mounted when it was opened first.
        var place: SpoolPlace?
    }

    /// How many threads write pictures: as many flushes the file system can have at once.
    static let writerCount = 8

    /// Its name in the configuration.
    package let name: String
    /// The absolute path of the folder.
    package let folder: String

    private let settings: Mutex<Configuration>
    let files: any FileSystem
    /// The clock of its deadlines and of the ages of its frames.
    let clock: any MonotonicClock
    let logger: Logger
    /// Gets what happens to its frames.
    let tell: EventSink
    let thread: WorkerThreads<Slot>
    let writers: WorkerThreads<Void>
    let intake: StoreIntake
    let condition: SpoolCondition
    /// How far each comparison of folder and catalog is that goes on, by numbers in the order of their begins.
    let progress = Mutex<[Int: VerificationProgress]>([:])
    /// That of the last opening, which is closed with it; nil where its catalog is not shared.
    let reader = Mutex<CatalogReader?>(nil)

    private init(
        _ configuration: Configuration,
        files: (any FileSystem)?,
        clock: any MonotonicClock,
        logger: Logger,
        tell: @escaping EventSink
    ) {
        var configuration = configuration
        configuration.folder = Self.absolute(configuration.folder)
        var logger = logger
        logger[metadataKey: "spool"] = "\(configuration.folder)"
        name = configuration.name
        folder = configuration.folder
        self.files = RecordedFiles(files ?? SystemFiles(root: configuration.folder, ownership: configuration.ownership))
        self.clock = clock
        settings = Mutex(configuration)
        self.logger = logger
        self.tell = tell
        condition = SpoolCondition(clock: clock, logger: logger)
        intake = StoreIntake(spool: configuration.name, clock: clock)
        thread = WorkerThreads(name: "tt-spool", count: 1) { Slot() }
        writers = WorkerThreads(name: "tt-store", count: Self.writerCount) {}
    }

    /// Opens a spool: makes its folder, locks it against a second daemon, tries it out, and opens or makes the catalog.
    ///
    /// `tell` gets each frame that is stored or removed, on the threads of the spool. Deadlines are told by `clock`, whose
    /// wall clock must be the one that gives files their times: by these it is known, at the next opening, which folders have
    /// changed.
    ///
    /// If the opening fails, the spool is unavailable and tries again automatically; the reason is `spool-unavailable` or
    /// `spool-full` with path and remedy, or `deadline-exceeded`.
    package static func openOrWait(
        _ configuration: Configuration,
        logger: Logger,
        files: (any FileSystem)? = nil,
        clock: any MonotonicClock,
        tell: @escaping EventSink = { _ in },
        until deadline: MonotonicTime
    ) async -> (spool: Spool, reason: Problem?) {
        let spool = Spool(configuration, files: files, clock: clock, logger: logger, tell: tell)
        do throws(Problem) {
            try await spool.open(until: deadline)
            return (spool, nil)
        } catch {
            spool.condition.lost(error)
            return (spool, error)
        }
    }

    /// Where it is, and the rules that it goes by now.
    var configuration: Configuration { settings.withLock(\.self) }

    /// Goes by the rules of another configuration from now on: retention, and which cameras have a `latest.jpg` of their own.
    ///
    /// What else it says must be as before. Where the disk does not answer, they hold from when it does. Any thread; never
    /// blocks.
    package func use(_ other: Configuration) {
        let rules = settings.withLock { settings in
            settings.retention = other.retention
            settings.cameraRetention = other.cameraRetention
            settings.ownLatest = other.ownLatest
            return settings
        }
        thread.submit { slot in slot.storage?.use(rules) }
    }

    /// Whether the spool takes pictures now; any thread, never blocks.
    package var state: SpoolState { condition.state }

    /// The weaker promise of its file system, as found at the last opening; nil if it keeps all.
    package var limit: SpoolLimit? { condition.limit }

    /// The room of its file system when it was last measured; nil before that.
    package var room: SpoolRoom? { condition.room }

    /// How far the comparison of folder and catalog is that goes on, the one begun last of several; nil where none does.
    package var verification: VerificationProgress? {
        progress.withLock { all in all.max { $0.key < $1.key }?.value }
    }

    /// Its threads as a watchdog asks them.
    package var heartbeats: [Heartbeat] {
        let reader = reader.withLock(\.self)
        return [
            thread.heartbeat("the storage thread of the spool \(name)"),
            writers.heartbeat("the writing threads of the spool \(name)"),
        ] + (reader.map { [$0.thread.heartbeat("the reading thread of the spool \(name)")] } ?? [])
    }

    /// The bytes of a stored picture.
    ///
    /// Its length and checksum are compared with what was stored each time. Throws `frame-not-found`, also if only its
    /// file is gone, `corrupt-only` where the file is not what was stored, which is quarantined then and its row lost,
    /// `spool-unavailable` and `deadline-exceeded`.
    package func picture(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> [UInt8] {
        try await look("look up the picture", until: deadline) { [folder, files] reader in
            guard let row = reader.row(id), case .whole(let bytes)? = try? StoredPicture(row, in: folder, files) else {
                return nil
            }
            return bytes
        } otherwise: { storage throws(Problem) in
            try storage.picture(of: id)
        }
    }

    /// Looks up a stored picture; what is returned reads it, and blocks: nil where the file is not what was stored, as
    /// ``picture(of:until:)`` then says.
    ///
    /// Throws `frame-not-found`, `spool-unavailable` and `deadline-exceeded`.
    package func reading(
        of id: FrameID,
        until deadline: MonotonicTime
    ) async throws(Problem) -> @Sendable () -> [UInt8]? {
        let row = try await look("look up the picture", until: deadline) { reader in
            reader.row(id)
        } otherwise: { storage throws(Problem) in
            try storage.row(id)
        }
        return { [folder, files] in
            guard case .whole(let bytes)? = try? StoredPicture(row, in: folder, files) else { return nil }
            return bytes
        }
    }

    /// Does what was asked for before, then closes the catalog and lets go of the folder; returns at `deadline` at the
    /// latest.
    ///
    /// Later calls are refused with `stopping`.
    package func close(until deadline: MonotonicTime) async {
        if let drained = intake.close(), await drained.wait(until: deadline) == nil { return }
        do {
            try await thread.perform(until: deadline, by: clock, otherwise: Self.late("be closed", folder)) { slot in
                slot.storage?.close(inGoodOrder: true)
                slot.storage = nil
            }
        } catch {}  // late: the process leaves without it, and the next start reconciles
    }

    /// `folder` from the root, without slashes at its end.
    private static func absolute(_ folder: String) -> String {
        var path = folder.hasPrefix("/") ? folder : "\(FileManager.default.currentDirectoryPath)/\(folder)"
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
