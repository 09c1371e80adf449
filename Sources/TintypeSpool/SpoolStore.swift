// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
package import Logging
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// A folder of pictures with a catalog.
///
/// Pictures are written on several threads `tt-write`. Queries to a healthy catalog and reads of intact pictures use
/// one thread, `tt-read`, a comparison of folder and catalog walks and reads on `tt-scan`. All other file and SQLite
/// work, and all changes of what is stored, run in order on one ``StorageThread``.
package final class SpoolStore: Sendable {
    /// Name in the configuration.
    package let name: String
    /// Absolute path.
    package let folder: String

    let storage: StorageThread
    let writes: WriteQueue
    /// Number of comparisons begun, and the progress of each that runs, by its number.
    let progress = Mutex<(begun: Int, running: [Int: VerificationProgress])>((0, [:]))
    /// Contents of the recording that was read last, and its length by then.
    let recording = Mutex<(path: String, size: Int?, contents: RecordingContents)?>(nil)
    var clock: any MonotonicClock { storage.clock }

    private init(
        _ configuration: Configuration,
        files: (any FileSystem)?,
        clock: any MonotonicClock,
        logger: Logger,
        tell: @escaping EventSink
    ) {
        var configuration = configuration
        var path = configuration.folder
        if !path.hasPrefix("/") { path = "\(FileManager.default.currentDirectoryPath)/\(path)" }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        configuration.folder = path
        var logger = logger
        logger[metadataKey: "spool"] = "\(configuration.folder)"
        (name, folder) = (configuration.name, configuration.folder)
        let files = files ?? SystemFiles(root: configuration.folder, ownership: configuration.ownership)
        storage = StorageThread(configuration, files: files, clock: clock, logger: logger, tell: tell)
        writes = WriteQueue(storage, tell: tell)
    }

    /// Opens or creates a spool, which retries automatically if that fails; the reason is then `spool-unavailable` or
    /// `spool-full` with path and remedy, or `deadline-exceeded`.
    ///
    /// `tell` receives each stored or removed frame, on threads of the spool. The wall clock of `clock` must be the one
    /// that sets file times, which show at the next opening which folders have changed.
    package static func openOrWait(
        _ configuration: Configuration,
        logger: Logger,
        files: (any FileSystem)? = nil,
        clock: any MonotonicClock,
        tell: @escaping EventSink = { _ in },
        until deadline: MonotonicTime
    ) async -> (spool: SpoolStore, reason: Problem?) {
        let spool = SpoolStore(configuration, files: files, clock: clock, logger: logger, tell: tell)
        do throws(Problem) {
            try await spool.storage.open(until: deadline)
            return (spool, nil)
        } catch {
            spool.storage.health.lost(error)
            return (spool, error)
        }
    }

    /// Reopens the spool whenever it is unavailable, until the task is cancelled; call from one task only.
    ///
    /// Without it, the spool is reopened by a request when an attempt is due.
    package func run() async { await storage.run() }

    /// Applies the retention rules, ``Configuration/uploads`` and ``Configuration/ownLatest`` of a configuration, whose
    /// other members must be unchanged, once the disk responds; any thread, never blocks.
    package func use(_ other: Configuration) { storage.use(other) }

    /// Availability of the spool; any thread, never blocks.
    package var state: SpoolState { storage.health.state }

    /// With the progress of the comparison of folder and catalog that started last; any thread, never blocks.
    package var report: SpoolReport {
        let last = progress.withLock { all in all.running.max { $0.key < $1.key }?.value }
        let health = storage.health
        var report = SpoolReport(spool: name, folder: folder, state: health.state)
        (report.limit, report.room, report.verification) = (health.limit, health.room, last)
        return report
    }

    package var heartbeats: [Heartbeat] { storage.heartbeats + [writes.heartbeat] }

    /// Stores a picture and returns its record with path, `stored`, `sha256` and `phasesMs.store`.
    ///
    /// `latest.jpg` of the camera then links to it. Concurrent calls share flushes and a transaction. Guarantees: see
    /// ``Durability``. Throws `spool-full`, `spool-unavailable`, and `too-many-requests` if too many stills wait for the
    /// disk; nothing is left behind. Throws `deadline-exceeded`: a write that has not started by then does not
    /// happen; one that has started completes later with file and row, or fails and leaves nothing.
    package func store(
        _ still: Still,
        durability: Durability,
        source: FrameSource = .request,
        until deadline: MonotonicTime
    ) async throws(Problem) -> StillRecord {
        try await writes.store(still, durability, source, until: deadline)
    }

    /// Atomically replaces `latest.jpg` of a camera of ``Configuration/ownLatest``, unflushed; throws as
    /// ``store(_:durability:source:until:)``.
    package func replaceLatest(
        of camera: String,
        by picture: [UInt8],
        until deadline: MonotonicTime
    ) async throws(Problem) {
        guard CameraName.isValid(camera) else {
            throw .invalid(field: "camera", "is not a camera's name: “\(camera)”.", remedy: "Give a camera's name.")
        }
        try await storage.perform("replace latest.jpg", until: deadline) { spool throws(Problem) in
            try spool.latest.replace(of: camera, by: picture)
        }
    }

    /// Completes pending work, closes the catalog and unlocks the folder; later calls throw `stopping`.
    ///
    /// Returns false if that is not done by `deadline`; the next start then compares folder and catalog.
    @discardableResult
    package func close(until deadline: MonotonicTime) async -> Bool {
        storage.beginClosing()
        if let drained = writes.close(), await drained.wait(until: deadline) == nil { return false }
        return await storage.close(until: deadline)
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
        package var ownership = Ownership()
        /// Names of pictures below their camera's folder.
        package var names = FileNames.standard
        /// Cameras whose `latest.jpg` is a separate picture, written by ``SpoolStore/replaceLatest(of:by:until:)``;
        /// stills do not update it.
        package var ownLatest: Set<String> = []
        package var retention = RetentionSettings()
        package var cameraRetention: [String: RetentionSettings] = [:]
        /// Standing jobs; each stored picture that matches a rule waits for its upload.
        package var uploads: [UploadRule] = []

        package init(name: String = defaultName, folder: String, folderMode: UInt32 = 0o750, fileMode: UInt32 = 0o640) {
            (self.name, self.folder, self.folderMode, self.fileMode) = (name, folder, folderMode, fileMode)
        }
    }
}
