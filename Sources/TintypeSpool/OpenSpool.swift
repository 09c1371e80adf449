// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// An open spool, from its opening until it is closed; blocking, used on the storage thread.
final class OpenSpool {
    private(set) var configuration: SpoolStore.Configuration
    let files: any FileSystem
    let clock: any MonotonicClock
    let logger: Logger
    let tell: EventSink
    let catalog: Catalog
    let site: SpoolSite

    let tree: FolderTree
    private(set) lazy var latest = LatestPicture(self)
    private(set) lazy var retention = Retention(self)
    private(set) lazy var admission = Admission(self)
    var comparison: ComparisonState

    var folder: String { configuration.folder }
    var incoming: String { "\(folder)/.incoming" }

    /// Opens the spool and finishes interrupted deletions; sets aside a catalog that turns out to be damaged.
    static func open(_ opening: SpoolOpening, tell: @escaping EventSink) throws(Problem) -> OpenSpool {
        let spool = try OpenSpool(opening, tell)
        do throws(Problem) {
            try FrameDeletion(spool: spool).finishInterrupted()
            try spool.applyUploads()
            try spool.removeRecordings(isOpening: true)
            return spool
        } catch {
            let problem = opening.files.judged(error, in: spool.folder)
            if problem.code == .spoolFull {
                opening.logger.warning("\(error) Interrupted deletions are finished at the next start.")
                return spool
            }
            // Leaves a note for the second opening if the catalog is damaged.
            spool.close()
            let note = try? CatalogNote.damaged.text(in: spool.folder, opening.files)
            guard spool.catalog.connection.damage != nil, note != nil else { throw problem }
            let second = try OpenSpool(opening, tell)
            second.comparison.leftovers += spool.comparison.leftovers
            try second.applyUploads()
            return second
        }
    }

    private init(_ opening: SpoolOpening, _ tell: @escaping EventSink) throws(Problem) {
        NamedThread.assertMayBlock("opening the spool")
        (configuration, files, clock) = (opening.configuration, opening.files, opening.clock)
        (logger, self.tell) = (opening.logger, tell)
        tree = FolderTree(configuration, files: files)
        var prepared = try opening.prepareFolders()
        site = prepared.site
        do throws(Problem) {
            catalog = try opening.openCatalog()
            prepared.comparison.isRebuilding = try !catalog.wasCompared()
        } catch {
            prepared.site.lock.release(files)
            throw error
        }
        comparison = prepared.comparison
        catalog.standing = StandingJobs(configuration.uploads, spool: configuration.name)
    }

    deinit { close() }

    func use(_ other: SpoolStore.Configuration) {
        configuration = other
        retention.forgetRules()
        guard catalog.standing.rules != other.uploads else { return }
        catalog.standing = StandingJobs(other.uploads, spool: other.name)
        attempt("The next picture or request tries again.") { try applyUploads() }
    }

    /// Closes the catalog and unlocks the folder, once; if `isClean`, the next start checks only changed folders.
    func close(isClean: Bool = false) {
        guard !catalog.connection.isClosed else { return }
        noteDamage()
        attempt("The next start compares folder and catalog.") {
            try catalog.close()
            if isClean { leaveMarker() }
        }
        site.lock.release(files)
    }

    /// Leaves a note for the next opening if the catalog was found damaged during use.
    private func noteDamage() {
        guard let damage = catalog.connection.damage else { return }
        attempt("The catalog is damaged: \(damage). Delete it to have it rebuilt from the files.", .error) {
            try CatalogNote.damaged.write(damage, in: folder, mode: configuration.fileMode, files)
        }
    }

    private func leaveMarker() {
        guard let marker = comparison.markerToLeave, catalog.connection.damage == nil else { return }
        attempt("The next start compares all of folder and catalog.", .debug) {
            try marker.leave(in: folder, mode: configuration.fileMode, bootID: site.bootID, files)
        }
    }

    /// Reason why the spool is unusable after a failed call; nil if it concerned one file, or space; blocks, perhaps
    /// for ever.
    func examine() -> Problem? {
        if let damage = catalog.connection.damage { return catalog.connection.isDamaged(damage) }
        do throws(FileError) {
            guard let status = try files.status(of: folder, following: true), status.device == site.device else {
                throw FileError("find the spool at", folder, code: ENODEV)
            }
            for name in [".incoming", ".lock"]
            where try files.status(of: "\(folder)/\(name)", following: false) == nil {
                throw FileError("find", "\(folder)/\(name)", code: ENOENT)
            }
            // Uses an existing file, so that no new name appears.
            try files.write([UInt8(ascii: "\n")], to: site.lock.file)
            try files.syncData(of: site.lock.file)
        } catch {
            return error.isFull ? nil : error.problem
        }
        do throws(Problem) {
            try catalog.checkSchema()
            try catalog.insert([], isDurable: true, at: clock.wall)
            guard catalog.failures >= 2 else { return nil }
            let detail = "The catalog of the spool \(folder) failed \(catalog.failures) times."
            let remedy = "Wait: it is opened again, and rebuilt from the files if it is damaged."
            return Problem(.spoolUnavailable, detail, remedy: remedy, retryAfter: .seconds(1))
        } catch {
            let problem = files.judged(error, in: folder)
            return problem.code == .spoolFull ? nil : problem
        }
    }

    /// Returns if `error` concerns a single file, so that the caller can continue; throws if the spool is unusable.
    func passOver(_ error: FileError) throws(Problem) {
        guard !error.isOfOneName, let problem = examine() else { return }
        throw problem
    }

    /// Logs that a file is left as it is, and returns so that the others can continue; throws if the spool is unusable.
    func skip(_ error: FileError) throws(Problem) {
        try passOver(error)
        noteSkipped(error)
    }

    func noteSkipped(_ error: FileError) {
        comparison.skipped += 1
        logger.warning("\(error) It stays as it is until the next start or “tintype frames verify”.")
    }

    /// Result of `call`; nil if it fails, after ``skip(_:)``.
    func orSkip<Value>(_ call: @autoclosure () throws(FileError) -> Value) throws(Problem) -> Value? {
        do throws(FileError) {
            return try call()
        } catch {
            try skip(error)
            return nil
        }
    }

    /// Removes a file that must not stay; a failure is logged, and the next start reconciles.
    func discard(_ path: String, isFlushed: Bool = false) {
        attempt("The next start checks it again.") { try files.remove(path, isFlushed: isFlushed) }
    }

    /// Runs `work`; logs a failure with its consequence.
    func attempt(
        _ consequence: String,
        _ level: Logger.Level = .warning,
        _ metadata: Logger.Metadata? = nil,
        _ work: () throws -> Void
    ) {
        do { try work() } catch { logger.log(level: level, "\(error) \(consequence)", metadata: metadata) }
    }

    /// Runs `work`, and judges its failure as ``FileSystem/judged(_:in:)``.
    func judging<Value>(_ work: () throws(Problem) -> Value) throws(Problem) -> Value {
        do throws(Problem) {
            return try work()
        } catch {
            throw files.judged(error, in: folder)
        }
    }
}

struct SpoolSite {
    /// Identity of this opening of the spool.
    let opening = UInt64.random(in: .min ... .max)
    let lock: SpoolLock
    /// `st_dev`.
    let device: UInt64
    /// Reduced durability of the file system; nil if durability is full.
    let limit: SpoolLimit?
    let bootID: String
    /// Error of a write during the opening, if the disk was full.
    let lack: FileError?
}

/// State of the comparison of folder and catalog in one opening.
struct ComparisonState {
    /// Files removed from `.incoming` at the opening.
    var leftovers: Int
    /// True if the catalog is new and not yet filled from the folder: older pictures may have no rows.
    var isRebuilding = false
    /// Marker of the last clean shutdown, for the first comparison.
    var marker: CleanShutdownMarker?
    /// True until folder and catalog have been compared in this opening.
    var isDue = true
    /// Number of times a disagreement between file and row was left unresolved.
    var skipped = 0
    /// Marker of the last comparison, and ``skipped`` at its start; nil before it.
    var result: (marker: CleanShutdownMarker, skipped: Int)?

    /// Marker to leave at a clean shutdown; nil if folder and catalog may disagree.
    var markerToLeave: CleanShutdownMarker? {
        guard let result, result.skipped == skipped else { return nil }
        return result.marker
    }
}
