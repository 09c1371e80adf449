// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

extension Storage {
    /// Number of rows per batch, so that stills do not wait for long.
    static let changeBatch = 500

    /// Time limit of a search for a page; short if stills wait for it because there is no reader thread.
    var pageTime: Duration { catalog.reader == nil ? .milliseconds(10) : Catalog.searchTime }

    func change(_ ids: [FrameID], _ edit: FrameEdit) throws(Problem) -> FrameOutcome {
        guard !ids.isEmpty else { return FrameOutcome() }
        do throws(Problem) {
            return try catalog.change(ids, edit)
        } catch {
            throw files.judged(error, in: folder)
        }
    }

    /// Applies `step` to the next matching frames, oldest first; returns the id to continue after, nil at the end.
    func next(
        _ count: Int,
        fitting filter: FrameFilter,
        after last: FrameID?,
        _ step: (Storage, [FrameID]) throws(Problem) -> FrameOutcome
    ) throws(Problem) -> (outcome: FrameOutcome, last: FrameID?) {
        // A single search step, so that stills do not wait for long.
        let found = try catalog.search(filter, order: .oldest, limit: count, after: last, within: .zero)
        return (try step(self, found.rows.map(\.id)), found.end)
    }

    /// Deletes at most ``FrameDeletion/batch`` frames, including pinned ones, and returns those whose files cannot be
    /// removed; all deletions of rows use this method.
    func deleteRemovable(_ rows: [FrameRow]) throws(Problem) -> [FrameDeletion.Kept] {
        try FrameDeletion(configuration: configuration, files: files, catalog: catalog, logger: logger, tell: tell)
            .delete(rows)
    }

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

    /// Creates missing folders; paths relative to the spool, outermost first.
    func makeFolders(_ relatives: [String]) throws(FileError) {
        // A name pattern may create a folder for each still.
        if folders.made.count > KnownFolders.most { folders = KnownFolders() }
        for relative in relatives where !folders.made.contains(relative) {
            try files.makeFolderIfMissing("\(folder)/\(relative)", mode: configuration.folderMode)
            folders.made.insert(relative)
        }
    }

    /// Flushes the picture's name to the disk, and once in each opening those of its folders, which a previous daemon
    /// or a still of lower durability may have created.
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

extension FramePage {
    /// A page of rows of the spool called `name`, with absolute paths.
    init(_ page: Catalog.Page, in spool: String, named name: String) {
        let frames = page.rows.map { $0.frameRecord(in: spool, named: name) }
        self.init(frames: frames, next: page.next, after: page.after.map { Int($0) })
    }
}

extension FileSystem {
    /// Creates a folder unless it exists; throws ENOTDIR if something else, or a link unless `following`, has its name;
    /// blocks.
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
