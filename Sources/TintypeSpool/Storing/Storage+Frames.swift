// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

extension Storage {
    /// Rows that are handled in one go, so that a still does not wait for long.
    static let changeBatch = 500

    /// How long the search for a page goes on at most: where all pages are read on this thread, stills wait for it.
    var pageTime: Duration { catalog.reader == nil ? .milliseconds(10) : Catalog.searchTime }

    /// Changes rows of these ids: see ``Spool/change(_:until:)``.
    func change(_ ids: [FrameID], _ edit: FrameEdit) throws(Problem) -> FrameOutcome {
        guard !ids.isEmpty else { return FrameOutcome() }
        do throws(Problem) {
            return try catalog.change(ids, edit)
        } catch {
            throw files.judged(error, in: folder)
        }
    }

    /// What `step` does to the next frames behind `last` that a filter fits, `count` at most, the oldest first; says behind
    /// which it goes on, nil at the end.
    func next(
        _ count: Int,
        fitting filter: FrameFilter,
        after last: FrameID?,
        _ step: (Storage, [FrameID]) throws(Problem) -> FrameOutcome
    ) throws(Problem) -> (outcome: FrameOutcome, last: FrameID?) {
        // One step of the search, so that a still does not wait for long, whatever fits.
        let found = try catalog.search(filter, order: .oldest, limit: count, after: last, within: .zero)
        return (try step(self, found.rows.map(\.id)), found.end)
    }

    /// Deletes frames, pinned ones too: the one way in which a picture leaves the spool.
    ///
    /// See ``FrameDeletion``; `rows` should be ``FrameDeletion/batch`` at most. Returns those whose files cannot be removed:
    /// they stay as they were. Throws `spool-unavailable` or `spool-full`.
    func deleteRemovable(_ rows: [FrameRow]) throws(Problem) -> [FrameDeletion.Kept] {
        try FrameDeletion(configuration: configuration, files: files, catalog: catalog, logger: logger, tell: tell)
            .delete(rows)
    }

    /// Deletes the frames of these ids: see ``Spool/delete(_:until:)``.
    func delete(_ ids: [FrameID]) throws(Problem) -> FrameOutcome {
        var outcome = FrameOutcome()
        var rows: [FrameRow] = []
        for id in ids {
            if let row = try catalog.row(id) { rows.append(row) } else { outcome.missing.append(id) }
        }
        guard !rows.isEmpty else { return outcome }
        let kept = try deleteRemovable(rows)
        outcome += FrameOutcome(
            changed: rows.count - kept.count,
            failed: kept.map(\.row.id),
            problem: kept.first.map { files.judged($0.error.problem, in: folder) }
        )
        return outcome
    }

    /// The contents of the spool: see ``Spool/statistics(until:)``.
    func statistics() throws(Problem) -> SpoolStatistics {
        let cameras = try catalog.totals()
        do throws(FileError) {
            let quarantine = "\(folder)/.quarantine"
            let hasQuarantine = try files.status(of: quarantine, following: false)?.kind == .folder
            return SpoolStatistics(
                spool: configuration.name,
                folder: folder,
                total: cameras.values.reduce(FrameTotals(), +),
                cameras: cameras,
                freeBytes: Int(clamping: try files.availableBytes(at: folder)),
                quarantined: hasQuarantine ? try files.names(in: quarantine).count : 0
            )
        } catch {
            throw error.problem
        }
    }
}

extension FramePage {
    /// A page of these rows of the spool called `name`, their paths absolute.
    init(_ page: (rows: [FrameRow], next: FrameCursor?), in spool: String, named name: String) {
        self.init(frames: page.rows.map { $0.frameRecord(in: spool, named: name) }, next: page.next)
    }
}

extension Storage {
    /// Makes those of these folders that are not there yet; relative to the spool, outermost first.
    func makeFolders(_ relatives: [String]) throws(FileError) {
        // A pattern of names may make a folder for each still.
        if folders.made.count > KnownFolders.most { folders = KnownFolders() }
        for relative in relatives where !folders.made.contains(relative) {
            try files.makeFolderIfMissing("\(folder)/\(relative)", mode: configuration.folderMode)
            folders.made.insert(relative)
        }
    }

    /// Returns once the picture's name and those of all its folders are on the disk.
    ///
    /// Folders that a daemon before this one made, or a still of lower durability, are flushed once.
    func syncFolders(of name: SpoolPath) throws(FileError) {
        var parent = folder
        for relative in name.folders {
            if !folders.synced.contains(relative) {
                try files.syncFolder(parent)
                folders.synced.insert(relative)
            }
            parent = "\(folder)/\(relative)"
        }
        try files.syncFolder(parent)
    }
}

extension FileSystem {
    /// Makes a folder unless it is there; blocks.
    ///
    /// Throws ENOTDIR if something else has its name, a link included: it might lead somewhere else.
    package func makeFolderIfMissing(_ path: String, mode: UInt32, following: Bool = false) throws(FileError) {
        do throws(FileError) {
            try makeFolder(path, mode: mode)
        } catch  where error.code == EEXIST {
            guard try status(of: path, following: following)?.kind == .folder else {
                throw FileError("make the folder", path, code: ENOTDIR)
            }
        }
    }
}
