// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
package import Logging
package import TintypeModel
internal import TintypeThreads

/// A folder of pictures with the catalog of what is in it.
///
/// All work on files and on SQLite is done on one thread, `tt-spool`, in the order in which it was asked for. Callers
/// suspend, at most until their deadline: a disk that does not answer holds up nobody else.
package final class Spool: Sendable {
    /// Where a spool is and who may read it.
    package struct Configuration: Hashable, Sendable {
        /// The folder; made if its parent is there.
        ///
        /// A relative path counts from the working directory.
        package var folder: String
        /// The permission bits of every folder made in it.
        package var folderMode: UInt32
        /// The permission bits of every picture.
        package var fileMode: UInt32

        /// A spool in `folder`.
        package init(folder: String, folderMode: UInt32 = 0o750, fileMode: UInt32 = 0o640) {
            self.folder = folder
            self.folderMode = folderMode
            self.fileMode = fileMode
        }
    }

    /// What lives on the storage thread.
    private struct Slot: ~Copyable {
        var storage: Storage?
    }

    /// The absolute path of the folder.
    package let folder: String

    private let thread: WorkerThreads<Slot>

    private init(folder: String) {
        self.folder = folder
        thread = WorkerThreads(name: "tt-spool", count: 1) { Slot() }
    }

    /// Opens a spool: makes its folder, tries it out, locks it against a second daemon, opens or makes the catalog, and
    /// brings folder and catalog into agreement.
    ///
    /// Throws `spool-unavailable` or `spool-full` with path, reason and remedy, and `deadline-exceeded`; the spool is
    /// closed again then, if late.
    package static func open(
        _ configuration: Configuration,
        logger: Logger,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Spool {
        try await open(configuration, logger: logger, files: SystemFiles(), until: deadline)
    }

    /// Opens a spool on another layer of files: ``open(_:logger:until:)`` for tests.
    package static func open(
        _ configuration: Configuration,
        logger: Logger,
        files: any FileSystem,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Spool {
        var configuration = configuration
        configuration.folder = absolute(configuration.folder)
        let spool = Spool(folder: configuration.folder)
        let (final, folder) = (configuration, configuration.folder)
        try await spool.thread.perform(until: deadline, otherwise: late("be opened", folder)) { slot throws(Problem) in
            slot.storage = try Storage(final, files: files, logger: logger)
        }
        return spool
    }

    /// Stores a picture and returns its record with path, `stored`, `sha256` and `phasesMs.store` filled in.
    ///
    /// `latest.jpg` in the camera's folder then links to it. For what the record promises see ``Durability``. Throws
    /// `spool-full` and `spool-unavailable`, and nothing is left behind then. Throws `deadline-exceeded`: if the
    /// writing had begun by the deadline, it ends as a whole, later, with file and row (or fails and leaves nothing);
    /// if it had not, nothing is written.
    package func store(
        _ still: Still,
        durability: Durability,
        until deadline: MonotonicTime
    ) async throws(Problem) -> StillRecord {
        let begin = MonotonicTime.now()
        var record = try await perform("store the picture", until: deadline) { storage throws(Problem) in
            try storage.store(still, durability: durability)
        }
        var phases = still.record.phasesMs ?? StillPhases()
        phases.store = Milliseconds(MonotonicTime.now() - begin)
        record.phasesMs = phases
        return record
    }

    /// The record of a stored picture.
    ///
    /// Throws `frame-not-found`, `spool-unavailable` and `deadline-exceeded`.
    package func frame(_ id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> StillRecord {
        try await perform("look up the picture", until: deadline) { storage throws(Problem) in
            try storage.record(of: id)
        }
    }

    /// The bytes of a stored picture.
    ///
    /// Throws `frame-not-found`, also if only its file is gone, `spool-unavailable` and `deadline-exceeded`.
    package func picture(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> [UInt8] {
        try await perform("look up the picture", until: deadline) { storage throws(Problem) in
            try storage.picture(of: id)
        }
    }

    /// Does what was asked for before, then closes the catalog and lets go of the folder; returns at `deadline` at the
    /// latest.
    ///
    /// What is asked for later is refused with `stopping`.
    package func close(until deadline: MonotonicTime) async {
        do {
            try await thread.perform(until: deadline, otherwise: Self.late("be closed", folder)) { slot in
                slot.storage?.close()
                slot.storage = nil
            }
        } catch {}  // late: the process leaves without it, and the next start reconciles
    }

    private func perform<Value: Sendable>(
        _ verb: String,
        until deadline: MonotonicTime,
        _ work: @escaping @Sendable (Storage) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let folder = folder
        guard deadline > .now() else { throw Self.late(verb, folder) }
        return try await thread.perform(until: deadline, otherwise: Self.late(verb, folder)) { slot throws(Problem) in
            guard let storage = slot.storage else {
                throw Problem(
                    .stopping,
                    "The spool \(folder) is closed.",
                    remedy: "Ask again when tintyped has started.",
                    retryAfter: .seconds(1)
                )
            }
            return try work(storage)
        }
    }
}

extension Spool {
    private static func late(_ verb: String, _ folder: String) -> Problem {
        Problem(
            .deadlineExceeded,
            "The spool \(folder) could not \(verb) in time.",
            remedy: "Ask for a longer deadline, and look at the disk's load and errors (iostat, dmesg).",
            retryAfter: .seconds(1)
        )
    }

    /// `folder` from the root, without slashes at its end.
    private static func absolute(_ folder: String) -> String {
        var path = folder.hasPrefix("/") ? folder : "\(FileManager.default.currentDirectoryPath)/\(folder)"
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
