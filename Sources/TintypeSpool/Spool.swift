// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
package import Logging
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// A folder of pictures with a catalog.
///
/// Pictures are written on several threads `tt-store`. Queries to a healthy catalog and reads of intact pictures use
/// one thread, `tt-read`. All other file and SQLite work runs in order on one thread, `tt-spool`. Callers suspend until
/// their deadline at most: a disk that does not respond does not affect other spools. After a disk failure, the spool
/// is closed and reopened automatically: ``run()``.
package final class Spool: Sendable {
    struct Slot: ~Copyable {
        /// Nil before the spool is opened, while it is unavailable, and after it is closed.
        var storage: Storage?
        var place: SpoolPlace?
    }

    /// Number of writer threads, and so of concurrent flushes.
    static let writerCount = 8

    /// Name in the configuration.
    package let name: String
    /// Absolute path.
    package let folder: String

    private let settings: Mutex<Configuration>
    let files: any FileSystem
    let clock: any MonotonicClock
    let logger: Logger
    let tell: EventSink
    let thread: WorkerThreads<Slot>
    let writers: WorkerThreads<Void>
    let intake: StoreIntake
    let condition: SpoolCondition
    /// Progress of each running comparison, numbered in order of their start.
    let progress = Mutex<[Int: VerificationProgress]>([:])
    /// Reader of the last opening, which is closed with it; nil if the catalog is not shared.
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

    /// Opens a spool: creates its folder, locks it against other daemons, tests writing, and opens or creates the
    /// catalog.
    ///
    /// `tell` receives each stored or removed frame, on threads of the spool. The wall clock of `clock` must be the one
    /// that sets file times, which show at the next opening which folders have changed. If opening fails, the spool is
    /// unavailable and retries automatically. The reason is `spool-unavailable` or `spool-full` with path and remedy,
    /// or `deadline-exceeded`.
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

    var configuration: Configuration { settings.withLock(\.self) }

    /// Applies the retention rules and ``Configuration/ownLatest`` of another configuration.
    ///
    /// All other members must be unchanged. If the disk does not respond, the rules apply once it does. Any thread;
    /// never blocks.
    package func use(_ other: Configuration) {
        let rules = settings.withLock { settings in
            settings.retention = other.retention
            settings.cameraRetention = other.cameraRetention
            settings.ownLatest = other.ownLatest
            return settings
        }
        thread.submit { slot in slot.storage?.use(rules) }
    }

    /// Availability of the spool; any thread, never blocks.
    package var state: SpoolState { condition.state }

    /// Reduced durability of the file system at the last opening; nil if durability is full.
    package var limit: SpoolLimit? { condition.limit }

    /// Space on the file system at the last measurement; nil before the first.
    package var room: SpoolRoom? { condition.room }

    /// Progress of the comparison of folder and catalog that started last; nil if none is running.
    package var verification: VerificationProgress? { progress.withLock { all in all.max { $0.key < $1.key }?.value } }

    package var heartbeats: [Heartbeat] {
        let reader = reader.withLock(\.self)
        return [
            thread.heartbeat("the storage thread of the spool \(name)"),
            writers.heartbeat("the writing threads of the spool \(name)"),
        ] + (reader.map { [$0.thread.heartbeat("the reading thread of the spool \(name)")] } ?? [])
    }

    /// Reads and verifies a stored picture.
    ///
    /// Throws `frame-not-found`, also if only the file is missing, `spool-unavailable` and `deadline-exceeded`. Throws
    /// `corrupt-only` if the file differs from the stored picture; the file is then quarantined and its row marked as
    /// lost.
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

    /// Looks up a stored picture and returns a blocking closure that reads it.
    ///
    /// The closure returns nil if the file is unreadable or wrong; ``picture(of:until:)`` then throws the reason.
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

    /// Completes pending work, closes the catalog and unlocks the folder; later calls throw `stopping`.
    ///
    /// Returns false if that is not done by `deadline`; the next start then compares folder and catalog.
    @discardableResult
    package func close(until deadline: MonotonicTime) async -> Bool {
        if let drained = intake.close(), await drained.wait(until: deadline) == nil { return false }
        do throws(Problem) {
            try await thread.perform(until: deadline, by: clock, otherwise: Self.late("be closed", folder)) { slot in
                slot.storage?.close(inGoodOrder: true)
                slot.storage = nil
            }
            return true
        } catch {
            return false
        }
    }

    private static func absolute(_ folder: String) -> String {
        var path = folder.hasPrefix("/") ? folder : "\(FileManager.default.currentDirectoryPath)/\(folder)"
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    package struct Configuration: Hashable, Sendable {
        /// Name of the spool for cameras without a configured one.
        package static let defaultName = "default"

        /// Name in the configuration and in frame records.
        package var name: String
        /// Created if its parent exists; a relative path is relative to the working directory.
        package var folder: String
        package var folderMode: UInt32
        package var fileMode: UInt32
        package var ownership: Ownership
        /// Names of pictures below their camera's folder.
        package var names: FileNames
        /// Cameras whose `latest.jpg` is a separate picture, written by ``Spool/replaceLatest(of:by:until:)``; stills
        /// do not update it.
        package var ownLatest: Set<String> = []
        package var retention = RetentionSettings()
        /// Additional retention settings by camera name.
        package var cameraRetention: [String: RetentionSettings] = [:]

        package init(
            name: String = defaultName,
            folder: String,
            folderMode: UInt32 = 0o750,
            fileMode: UInt32 = 0o640,
            ownership: Ownership = Ownership(),
            names: FileNames = .standard
        ) {
            self.name = name
            self.folder = folder
            self.folderMode = folderMode
            self.fileMode = fileMode
            self.ownership = ownership
            self.names = names
        }
    }
}
