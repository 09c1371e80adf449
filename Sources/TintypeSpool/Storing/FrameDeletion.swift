// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Deletes frames, so that none comes back whenever the process is killed or the power goes.
///
/// In this order (DESIGN, section 6): tombstones, flushed; files unlinked; their folders flushed; rows removed.
/// Before the files go, `latest.jpg` is turned to a picture that stays. An interrupted deletion is ended by
/// ``finishInterrupted()`` at the next start. On the storage thread.
struct FrameDeletion {
    let configuration: Spool.Configuration
    let files: any FileSystem
    let catalog: Catalog
    let logger: Logger
    let tell: EventSink

    private var folder: String { configuration.folder }

    /// The most frames that are deleted at once, so that a still does not wait for long.
    static let batch = 100

    /// A frame whose file could not be removed, and why.
    struct Kept {
        let row: FrameRow
        let error: FileError
    }

    /// Deletes these frames, pinned ones too; at most ``batch`` of them at once.
    ///
    /// Returns those whose files could not be removed: they stay as they were. Throws `spool-unavailable` or `spool-full`
    /// where the catalog fails, or a folder cannot be flushed.
    func delete(_ rows: [FrameRow]) throws(Problem) -> [Kept] {
        guard !rows.isEmpty else { return [] }
        do throws(Problem) {
            try catalog.addTombstones(over: rows)
            return try end(rows)
        } catch {
            throw files.judged(error, in: folder)
        }
    }

    /// Ends the deletions that a kill or a power cut has interrupted.
    ///
    /// A frame whose file cannot be removed stays, and the log says so.
    func finishInterrupted() throws(Problem) {
        var count = 0
        var last: [FrameRow] = []
        while true {
            let rows = try catalog.rowsUnderTombstones(limit: Self.batch)
            guard !rows.isEmpty else { break }
            guard rows != last else { throw catalog.isDamaged("rows that were deleted stay") }
            last = rows
            if let kept = try end(rows).first { logger.warning("\(kept.error) The frame stays.") }
            count += rows.count
        }
        if count > 0 { logger.notice("Finished deletions that were interrupted", metadata: ["count": "\(count)"]) }
    }

    /// Removes files and rows of what is under tombstones; what could not be removed is taken from under them.
    ///
    /// Returns these. If it throws, the tombstones stay, and the next start goes on.
    private func end(_ rows: [FrameRow]) throws(Problem) -> [Kept] {
        var (gone, kept): ([FrameRow], [Kept]) = ([], [])
        let turns = Set(rows.map(\.camera)).map { camera in (camera, turnLatest(of: camera, from: rows)) }
        for row in rows {
            do throws(FileError) {
                try files.remove("\(folder)/\(row.path)")
                gone.append(row)
            } catch  where row.isLost && error.isOnTheWay {
                gone.append(row)  // its folder is somewhere else
            } catch {
                kept.append(Kept(row: row, error: error))
            }
        }
        try asProblem(try syncFolders(of: gone))
        try catalog.remove(gone)
        for camera in Set(gone.map(\.camera)).sorted() {
            tell(.removed(gone.filter { $0.camera == camera }.map(\.id), of: camera, from: configuration.name))
        }
        for (camera, turn) in turns
        where turn == .waits || turn == .done && kept.contains(where: { $0.row.camera == camera }) {
            showNewest(of: camera)
        }
        if !kept.isEmpty { try catalog.removeTombstones(of: kept.map(\.row)) }
        return kept
    }

    /// Returns once the folders that had these files no longer have them on the disk either.
    private func syncFolders(of rows: [FrameRow]) throws(FileError) {
        for parent in Set(rows.map(\.parent)).sorted() {
            do throws(FileError) {
                try files.syncFolder("\(folder)/\(parent)")
            } catch  where error.code == ENOENT || error.isOnTheWay {}  // gone with all names in it
        }
    }
}

extension FrameRow {
    /// The folder of its file, relative to the spool.
    var parent: Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
}

extension FrameDeletion {
    /// What became of a `latest.jpg` before frames go.
    private enum Turn {
        /// It shows none of them.
        case none
        /// It shows another picture now.
        case done
        /// There is none to turn it to, or no room for a link before they are gone.
        case waits
    }

    /// Lets a `latest.jpg` that shows one of these frames show the newest of the others.
    private func turnLatest(of camera: String, from rows: [FrameRow]) -> Turn {
        guard !configuration.ownLatest.contains(camera) else { return .none }
        do {
            guard try shows(files.latest(of: camera, configuration), of: camera, one: rows) else { return .none }
            guard let newest = try catalog.latestPath(of: camera, besides: rows) else { return .waits }
            try files.turnLatest(of: camera, to: newest, configuration)
            return .done
        } catch {
            logger.debug("\(error) latest.jpg is turned once the frames are gone.", metadata: ["camera": "\(camera)"])
            return .waits
        }
    }

    /// Lets `latest.jpg` show the newest picture that is left, or removes it.
    private func showNewest(of camera: String) {
        do {
            if let newest = try catalog.latestPath(of: camera) {
                try files.turnLatest(of: camera, to: newest, configuration)
            } else {
                try files.remove(files.latest(of: camera, configuration))
            }
        } catch {
            logger.warning("\(error) latest.jpg shows nothing until the next still.", metadata: ["camera": "\(camera)"])
        }
    }

    private func shows(_ path: String, of camera: String, one rows: [FrameRow]) throws(FileError) -> Bool {
        switch try files.status(of: path, following: false)?.kind {
        case .link:
            let target = try files.target(ofLink: path)
            return rows.contains { $0.path == "\(camera)/\(target)" }
        case .file:
            // A copy, where the file system knows no links.
            let sha256 = SHA256.text(try files.read(path, atMost: FileLimit.picture))
            return rows.contains { $0.sha256 == sha256 }
        case .folder, .other, nil: return false
        }
    }
}
