// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

/// The steps of opening a spool, on the storage thread.
struct SpoolOpening {
    let configuration: Spool.Configuration
    let files: any FileSystem
    let logger: Logger

    private var folder: String { configuration.folder }

    /// Makes the folders, locks the spool and tries out that it can be written; returns the lock.
    func prepareFolders() throws(Problem) -> OpenFile {
        do throws(FileError) {
            try makeSpool()
            guard let lock = try files.lock("\(folder)/.lock", mode: configuration.fileMode) else {
                throw FileError("lock", "\(folder)/.lock", code: EWOULDBLOCK)
            }
            do throws(FileError) {
                try files.makeFolderIfMissing("\(folder)/.incoming", mode: configuration.folderMode)
                try removeLeftovers()
                try tryOut()
            } catch {
                try? files.unlock(lock)
                throw error
            }
            return lock
        } catch  where error.code == EWOULDBLOCK {
            throw Problem(
                .spoolUnavailable,
                "The spool \(folder) is in use by another tintyped, which holds the lock \(error.path).",
                remedy: "Stop that one (lsof \(error.path) names it), or name another spool folder with --spool."
            )
        } catch {
            throw error.problem
        }
    }

    /// Opens the catalog, or a new one if it is damaged, and brings it into agreement with the files.
    func openCatalog() throws(Problem) -> Catalog {
        do throws(Catalog.OpeningError) {
            return try openReconciled()
        } catch {
            switch error {
            case .failed(let problem): throw files.judged(problem, in: folder)
            case .damaged(let reason):
                do throws(FileError) {
                    try setAside(reason)
                } catch {
                    throw error.problem
                }
            }
        }
        do throws(Catalog.OpeningError) {
            return try openReconciled()
        } catch {
            switch error {
            case .failed(let problem): throw files.judged(problem, in: folder)
            case .damaged(let reason):
                throw Problem(
                    .spoolUnavailable,
                    "A new catalog \(catalogPath) was damaged at once: \(reason).",
                    remedy: "Look for errors of the disk in the kernel's log (dmesg)."
                )
            }
        }
    }

    /// The running boot, to tell monotonic times of different boots apart; empty where the kernel does not say.
    func bootID() -> String {
        guard let bytes = try? files.read("/proc/sys/kernel/random/boot_id") else { return "" }
        return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
    }

    private var catalogPath: String { "\(folder)/catalog.sqlite" }

    private func makeSpool() throws(FileError) {
        guard try files.status(of: folder, following: true) == nil else {
            return try files.makeFolderIfMissing(folder, mode: configuration.folderMode, following: true)
        }
        try files.makeFolderIfMissing(folder, mode: configuration.folderMode, following: true)
        let parent = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ""
        do throws(FileError) {
            try files.syncFolder(parent.isEmpty ? "/" : String(parent))
        } catch  where error.code == EACCES {}  // one may be allowed to make a folder where one may not look
    }

    private func removeLeftovers() throws(FileError) {
        let incoming = "\(folder)/.incoming"
        let names = try files.names(in: incoming)
        for name in names { try files.remove("\(incoming)/\(name)") }
        guard !names.isEmpty else { return }
        logger.notice(
            "Removed files that were being written when the daemon was killed",
            metadata: ["count": "\(names.count)"]
        )
    }

    /// Writes and removes a file, so that what is wrong is said now and not at the first picture.
    private func tryOut() throws(FileError) {
        let path = "\(folder)/.incoming/probe"
        let file = try files.create(path, mode: configuration.fileMode)
        do throws(FileError) {
            try files.write([UInt8](repeating: 0, count: 4096), to: file)
            try files.close(file)
        } catch {
            try? files.remove(path)
            throw error
        }
        try files.remove(path)
    }

    private func openReconciled() throws(Catalog.OpeningError) -> Catalog {
        // A log beside it says that it was not closed: only then is looking through all of it worth the time.
        let hasLog = (try? files.status(of: "\(catalogPath)-wal", following: false)) != nil
        try makeCatalogFile()
        let catalog = try Catalog(path: catalogPath, checking: hasLog)
        try Reconciler(configuration: configuration, files: files, logger: logger, catalog: catalog, bootID: bootID())
            .run()
        return catalog
    }

    /// Makes the catalog's file with the mode that files of the spool have: SQLite would make it readable for all, and
    /// gives its log the mode of the file.
    private func makeCatalogFile() throws(Catalog.OpeningError) {
        do throws(FileError) {
            guard try files.status(of: catalogPath, following: false) == nil else { return }
            try files.close(try files.create(catalogPath, mode: configuration.fileMode))
        } catch {
            throw .failed(error.problem)
        }
    }

    /// Renames a damaged catalog, its log first: without it the database is an older one, never a wrong one.
    private func setAside(_ reason: String) throws(FileError) {
        let time = Timestamp.now().utc
        let date = [time.month, time.day].map { Timestamp.pad($0, 2) }.joined()
        let clock = [time.hour, time.minute, time.second].map { Timestamp.pad($0, 2) }.joined()
        let suffix = "damaged-\(Timestamp.pad(time.year, 4))\(date)T\(clock).\(Timestamp.pad(time.microsecond, 6))Z"
        for part in ["-wal", "-shm", ""] where try files.status(of: catalogPath + part, following: false) != nil {
            try files.move(catalogPath + part, to: "\(catalogPath).\(suffix)\(part)")
        }
        logger.error(
            "The catalog is damaged: set aside as \(catalogPath).\(suffix), and rebuilt from the files",
            metadata: ["reason": "\(reason)"]
        )
    }
}
