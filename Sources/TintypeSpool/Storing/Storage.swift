// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeThreads

/// An open spool: everything that blocks, on the storage thread.
final class Storage {
    let configuration: Spool.Configuration
    let files: any FileSystem
    let logger: Logger
    let catalog: Catalog

    /// Folders that are there, relative to the spool.
    var madeFolders: Set<String> = []
    /// Those of them whose names have reached the disk, up to the spool.
    var syncedFolders: Set<String> = []

    private let bootID: String
    private let lock: OpenFile
    private var isOpen = true

    var folder: String { configuration.folder }
    var incoming: String { "\(folder)/.incoming" }

    /// Opens the spool: see ``Spool/open(_:logger:until:)``.
    init(_ configuration: Spool.Configuration, files: any FileSystem, logger: Logger) throws(Problem) {
        NamedThread.assertMayBlock("opening the spool")
        self.configuration = configuration
        self.files = files
        var logger = logger
        logger[metadataKey: "spool"] = "\(configuration.folder)"
        self.logger = logger
        let opening = SpoolOpening(configuration: configuration, files: files, logger: logger)
        lock = try opening.prepareFolders()
        do throws(Problem) {
            bootID = opening.bootID()
            catalog = try opening.openCatalog()
        } catch {
            try? files.unlock(lock)
            throw error
        }
    }

    deinit { close() }

    /// Checkpoints and closes the catalog and lets go of the folder.
    func close() {
        guard isOpen else { return }
        isOpen = false
        do throws(Problem) {
            try catalog.close()
        } catch {
            logger.warning("\(error.detail) The next start reconciles.")
        }
        try? files.unlock(lock)
    }

    /// The record of a stored picture.
    func record(of id: FrameID) throws(Problem) -> StillRecord { try row(id).record(in: folder) }

    /// The bytes of a stored picture.
    func picture(of id: FrameID) throws(Problem) -> [UInt8] {
        let path = "\(folder)/\(try row(id).path)"
        do throws(FileError) {
            if try files.status(of: path, following: false)?.kind == .file { return try files.read(path) }
        } catch {
            throw error.problem
        }
        throw Problem(
            .frameNotFound,
            "The frame \(id) is in the catalog, but its file is gone: \(path).",
            remedy: "Put the file back, or restart tintyped to have the catalog put right."
        )
    }

    /// The row of a picture that was just stored.
    func row(for record: StillRecord, path: String, sha256: String, stored: StillRecord.Stored) -> FrameRow {
        FrameRow(
            id: record.id,
            camera: record.camera,
            path: path,
            bytes: record.bytes,
            size: FrameSize(width: record.width, height: record.height),
            sequence: record.sequence,
            capturedAt: record.capturedAt,
            timestampSource: record.timestampSource,
            uncertainty: record.uncertaintyMs?.duration,
            storedAt: .now(),
            stored: stored,
            sha256: sha256,
            bootID: bootID,
            storedMonotonic: .now(),
            isClockSynchronized: SystemCalls.isClockSynchronized,
            settled: record.settled,
            verdict: record.verdict,
            faults: record.faults,
            appearance: record.appearance,
            tags: record.tags,
            average: record.average,
            gap: record.gapMs?.duration
        )
    }

    private func row(_ id: FrameID) throws(Problem) -> FrameRow {
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
