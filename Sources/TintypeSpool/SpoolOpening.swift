// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Steps of opening a spool, on the storage thread.
struct SpoolOpening {
    let configuration: SpoolStore.Configuration
    let files: any FileSystem
    let clock: any MonotonicClock
    let logger: Logger

    private var folder: String { configuration.folder }

    /// Creates the folders, locks the spool, tests writing, and takes the marker of a clean shutdown.
    func prepareFolders() throws(Problem) -> (site: SpoolSite, comparison: ComparisonState) {
        do throws(FileError) {
            try makeSpool()
            let lock = try SpoolLock(folder, mode: configuration.fileMode, files: files)
            do throws(FileError) {
                try files.makeFolderIfMissing("\(folder)/.incoming", mode: configuration.folderMode)
                let leftovers = try removeLeftovers()
                try removeTornLatest()
                let lack = try tryOut()
                let (device, limit, bootID) = (try checkedDevice(), try supportedLimit(), readBootID())
                let marker = try CleanShutdownMarker.take(from: folder, bootID: bootID, at: clock.wall, files)
                return (
                    SpoolSite(lock: lock, device: device, limit: limit, bootID: bootID, lack: lack),
                    ComparisonState(leftovers: leftovers, marker: marker)
                )
            } catch {
                lock.release(files)
                throw error
            }
        } catch  where error.code == EWOULDBLOCK {
            let detail = "The spool \(folder) is in use by another tintyped, which holds \(error.path) locked."
            let remedy = "Stop that one (lsof \(error.path) names it), or name another spool folder with --spool."
            throw Problem(.spoolUnavailable, detail, remedy: remedy)
        } catch {
            throw error.problem
        }
    }

    /// Opens the catalog, or creates a new one if it is damaged or marked as such.
    func openCatalog() throws(Problem) -> Catalog {
        try asProblem(try heedNotes())
        var isNew = false
        while true {
            do throws(CatalogConnection.OpeningError) {
                return try openSound()
            } catch {
                guard let damage = error.damage, !isNew else { throw files.judged(error.problem, in: folder) }
                isNew = true
                try asProblem(try setAside(damage))
            }
        }
    }

    /// Throws if `.incoming` is on another file system, since files could not be renamed from it; a camera's folder on
    /// another file system is only logged: storing fails for that camera alone.
    private func checkedDevice() throws(FileError) -> UInt64 {
        guard let spool = try files.status(of: folder, following: true) else {
            throw FileError("look at", folder, code: ENOENT)
        }
        let incoming = "\(folder)/.incoming"
        if try files.status(of: incoming, following: false)?.device != spool.device {
            throw FileError("use", incoming, code: EXDEV)
        }
        for name in try files.names(in: folder) where CameraName.isValid(name) {
            let status = try files.status(of: "\(folder)/\(name)", following: false)
            guard let status, status.kind == .folder, status.device != spool.device else { continue }
            let error = FileError("use", "\(folder)/\(name)", code: EXDEV)
            logger.error("\(error.problem)", metadata: ["camera": "\(name)"])
        }
        return spool.device
    }

    /// Reduced durability of the file system, logged once; nil if durability is full.
    private func supportedLimit() throws(FileError) -> SpoolLimit? {
        guard let limit = try files.kind(of: folder).limit(of: folder) else { return nil }
        logger.warning("\(limit.sentence)", metadata: ["durability": "\(limit.durability.rawValue)"])
        return limit
    }

    /// Removes an incomplete `latest.jpg` of cameras in `ownLatest`, left by a power cut since it is not flushed.
    private func removeTornLatest() throws(FileError) {
        for camera in configuration.ownLatest.sorted() {
            let path = LatestPicture.path(of: camera, in: folder)
            guard try files.status(of: path, following: false)?.kind == .file, try !isPicture(path) else { continue }
            try files.remove(path)
        }
    }

    private func isPicture(_ path: String) throws(FileError) -> Bool {
        do throws(FileError) {
            let picture = try files.read(path, atMost: FileLimit.picture)
            return (try? WholePicture.size(of: picture, ExifOrigin(picture))) != nil
        } catch  where error.code == EFBIG {
            return false
        }
    }

    /// Current boot, which identifies the monotonic clock; empty if unknown.
    private func readBootID() -> String {
        guard let bytes = try? files.read("/proc/sys/kernel/random/boot_id", atMost: FileLimit.note) else { return "" }
        return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
    }

    private var catalogPath: String { "\(folder)/catalog.sqlite" }

    private func makeSpool() throws(FileError) {
        let isNew = try files.status(of: folder, following: true) == nil
        try files.makeFolderIfMissing(folder, mode: configuration.folderMode, following: true)
        guard isNew else { return }
        do throws(FileError) {
            try files.syncFolder(folder.enclosingFolder)
        } catch  where error.code == EACCES {}  // the parent folder may be writable but not readable
    }

    private func removeLeftovers() throws(FileError) -> Int {
        let incoming = "\(folder)/.incoming"
        // Recordings may belong to open jobs.
        let names = try files.names(in: incoming).filter { !$0.hasSuffix(".smjpeg") }
        for name in names { try files.remove("\(incoming)/\(name)") }
        guard !names.isEmpty else { return 0 }
        logger.notice(
            "Removed files that were being written when the daemon was killed",
            metadata: ["count": "\(names.count)"]
        )
        return names.count
    }

    /// Writes, flushes and removes a file to detect faults: a disk that is gone may accept a write without a flush.
    ///
    /// Returns the error if the disk is full: pictures can be served from it, and retention can make room.
    private func tryOut() throws(FileError) -> FileError? {
        let path = "\(folder)/.incoming/probe"
        let bytes = [UInt8](repeating: 0, count: 4096)
        do throws(FileError) {
            try files.makeFile(path, bytes, mode: configuration.fileMode, isFlushed: true)
        } catch  where error.isFull {
            return error
        }
        try files.remove(path)
        return nil
    }

    private func openSound() throws(CatalogConnection.OpeningError) -> Catalog {
        let isShared = try prepareCatalogFiles()
        do throws(CatalogConnection.OpeningError) {
            let catalog = try openCatalog(isShared: isShared)
            if isShared { catalog.openReader() }
            return catalog
        } catch  where files.judged(error.problem, in: folder).code == .spoolFull {
            // The full disk lacks room for the log, and for the shared WAL index, which otherwise is in heap memory.
            return try openCatalog(isShared: false, isDiskFull: true)
        }
    }

    private func openCatalog(isShared: Bool, isDiskFull: Bool = false) throws(CatalogConnection.OpeningError) -> Catalog
    {
        try CallRecord.marking { () throws(CatalogConnection.OpeningError) in
            try Catalog(path: catalogPath, isShared: isShared, isDiskFull: isDiskFull, clock: clock, logger: logger)
        }
    }

    /// Creates the catalog's file, which SQLite would make world-readable, and refuses a link, which SQLite would
    /// follow, or a device; returns true if other programs can read the catalog while it is open.
    private func prepareCatalogFiles() throws(CatalogConnection.OpeningError) -> Bool {
        do throws(FileError) {
            if try files.status(of: catalogPath, following: false) == nil {
                try files.close(try files.create(catalogPath, mode: configuration.fileMode))
            }
            for part in Self.catalogParts {
                let kind = try files.status(of: catalogPath + part, following: false)?.kind
                if kind == .link || kind == .other { throw FileError("use", catalogPath + part, code: ENOTSUP) }
            }
            return try files.kind(of: folder) != .unmappable
        } catch {
            let damage = error.code == ENOTSUP ? "\(error.path) is a link or a device" : nil
            throw CatalogConnection.OpeningError(problem: error.problem, damage: damage)
        }
    }

    /// Suffixes of the catalog's files, the database last.
    private static let catalogParts = ["-wal", "-shm", "-journal", ""]

    /// Completes a setting aside whose new name is recorded only, and sets aside a catalog marked as damaged.
    private func heedNotes() throws(FileError) {
        if let name = try CatalogNote.salvage.catalogs(in: folder, files).last,
            try files.status(of: "\(folder)/\(name)", following: false) == nil
        {
            try moveCatalog(to: name)
        }
        guard let reason = try CatalogNote.damaged.text(in: folder, files) else { return }
        try setAside(reason)
        try CatalogNote.damaged.remove(in: folder, files)
    }

    /// Renames the catalog, WAL first: without the WAL the database is older, but consistent.
    private func moveCatalog(to name: String) throws(FileError) {
        for part in Self.catalogParts {
            guard let status = try files.status(of: catalogPath + part, following: false) else { continue }
            // A part that is not a regular file must not become part of the catalog that is set aside.
            let target = part.isEmpty || status.kind == .file ? part : ".no-file\(part)"
            try files.move(catalogPath + part, to: "\(folder)/\(name)\(target)")
        }
        try files.syncFolder(folder)
    }

    /// Renames a damaged catalog, if still there, after recording its new name, so that an interruption loses nothing.
    private func setAside(_ reason: String) throws(FileError) {
        guard try files.status(of: catalogPath, following: false) != nil else { return }
        let name = CatalogNote.catalogPrefix + "\(clock.wall)".filter { $0 != "-" && $0 != ":" }
        let noted = try CatalogNote.salvage.catalogs(in: folder, files) + [name]
        try CatalogNote.record(noted, in: folder, mode: configuration.fileMode, files)
        try moveCatalog(to: name)
        logger.error(
            "The catalog is damaged: set aside as \(folder)/\(name), and rebuilt from the files",
            metadata: ["reason": "\(reason)"]
        )
    }
}

/// Mount point of a spool's file system, so that the empty folder below it is not used while it is unmounted.
struct SpoolMount: Hashable, Sendable {
    /// Nearest folder at or above the spool that is on another file system than its parent; `/` if none.
    let mountPoint: String

    /// The folder must exist.
    init(of folder: String, files: any FileSystem) throws(FileError) {
        var path = folder
        while path != "/", try !Self.isMountPoint(path, files) { path = path.enclosingFolder }
        mountPoint = path
    }

    func check(_ folder: String, files: any FileSystem) throws(Problem) {
        guard mountPoint != "/" else { return }
        if try asProblem(try Self.isMountPoint(mountPoint, files)) { return }
        let detail = "The spool \(folder) is gone: nothing is mounted at \(mountPoint) any more."
        let remedy = "Mount its disk there again; tintyped then continues automatically."
        throw Problem(.spoolUnavailable, detail, remedy: remedy, retryAfter: .seconds(10))
    }

    private static func isMountPoint(_ path: String, _ files: any FileSystem) throws(FileError) -> Bool {
        guard let status = try files.status(of: path, following: true) else { return false }
        return try files.status(of: path.enclosingFolder, following: true)?.device != status.device
    }
}
