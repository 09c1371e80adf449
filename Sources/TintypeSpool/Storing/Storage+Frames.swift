// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

extension Storage {
    /// Rows that are handled in one go, so that a still does not wait for long.
    static let changeBatch = 500

    /// A page of a list: see ``Spool/frames(_:until:)``.
    func page(_ query: FrameQuery) throws(Problem) -> FramePage {
        FramePage(try catalog.page(query), in: folder, named: configuration.name)
    }

    /// The record of a stored frame; throws `frame-not-found`.
    func frameRecord(of id: FrameID) throws(Problem) -> FrameRecord {
        try row(id).frameRecord(in: folder, named: configuration.name)
    }

    /// Changes rows of these ids: see ``Spool/change(_:until:)``.
    func change(_ ids: [FrameID], _ edit: FrameEdit) throws(Problem) -> FrameOutcome {
        guard !ids.isEmpty else { return FrameOutcome() }
        do throws(Problem) {
            return try catalog.change(ids, edit)
        } catch {
            throw files.judged(error, in: folder)
        }
    }

    /// Changes the next frames behind `last` that a filter fits, the oldest first; says behind which it goes on, nil at
    /// the end.
    func change(
        matching filter: FrameFilter,
        after last: FrameID?,
        _ edit: FrameEdit
    ) throws(Problem) -> (outcome: FrameOutcome, last: FrameID?) {
        let found = try catalog.search(filter, order: .oldest, limit: Self.changeBatch, after: last)
        return (try change(found.rows.map(\.id), edit), found.end)
    }

    /// Deletes frames, pinned ones too: the one way in which a picture leaves the spool.
    ///
    /// See ``FrameDeletion``; `rows` should be ``FrameDeletion/batch`` at most. Returns those whose files cannot be removed:
    /// they stay as they were. Throws `spool-unavailable` or `spool-full`.
    func deleteRemovable(_ rows: [FrameRow]) throws(Problem) -> [FrameDeletion.Kept] {
        let deletion = FrameDeletion(
            configuration: configuration,
            files: files,
            catalog: catalog,
            thumbnails: thumbnails,
            logger: logger,
            tell: tell
        )
        do throws(Problem) {
            let kept = try deletion.delete(rows)
            // Btrfs may need room to remove a name.
            guard kept.contains(where: \.error.isFull), thumbnails.makeRoom(1 << 20) > 0 else { return kept }
            return try deletion.delete(kept.map(\.row))
        } catch  where error.code == .spoolFull && thumbnails.makeRoom(1 << 20) > 0 {
            // There was no room for tombstones.
            return try deletion.delete(rows)
        }
    }

    /// Deletes the frames of these ids: see ``Spool/delete(_:until:)``.
    func delete(_ ids: [FrameID]) throws(Problem) -> FrameOutcome {
        var outcome = FrameOutcome()
        var rows: [FrameRow] = []
        for id in ids {
            if let row = try catalog.row(id) { rows.append(row) } else { outcome.missing.append(id) }
        }
        outcome += try self.outcome(ofDeleting: rows)
        return outcome
    }

    /// Deletes the next frames behind `last` that a filter fits, the oldest first; says behind which it goes on, nil at the
    /// end.
    func delete(
        matching filter: FrameFilter,
        after last: FrameID?
    ) throws(Problem) -> (outcome: FrameOutcome, last: FrameID?) {
        let found = try catalog.search(filter, order: .oldest, limit: FrameDeletion.batch, after: last)
        return (try outcome(ofDeleting: found.rows), found.end)
    }

    /// Deletes frames, and tells which stayed and why the first of them did.
    private func outcome(ofDeleting rows: [FrameRow]) throws(Problem) -> FrameOutcome {
        guard !rows.isEmpty else { return FrameOutcome() }
        let kept = try deleteRemovable(rows)
        return FrameOutcome(
            changed: rows.count - kept.count,
            failed: kept.map(\.row.id),
            problem: kept.first.map { files.judged($0.error.problem, in: folder) }
        )
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
    /// Makes the folders of a picture that are not there yet.
    func makeFolders(of name: SpoolPath) throws(FileError) { try makeFolders(name.folders) }

    /// Makes those of these folders that are not there yet; relative to the spool, outermost first.
    func makeFolders(_ relatives: [String]) throws(FileError) {
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
