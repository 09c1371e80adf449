// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Deletes frames such that none reappears after a kill or a power cut.
///
/// The order is: insert tombstones, durable; unlink files; flush folders; delete rows. Before the
/// files are unlinked, `latest.jpg` is pointed at a remaining picture. ``finishInterrupted()`` completes an interrupted
/// deletion at the next start. Use on the storage thread.
struct FrameDeletion {
    let configuration: Spool.Configuration
    let files: any FileSystem
    let catalog: Catalog
    let logger: Logger
    let tell: EventSink

    private var folder: String { configuration.folder }

    /// Maximum number of frames per call, so that stills do not wait for long.
    static let batch = 100

    /// A frame whose file could not be removed.
    struct Kept {
        let row: FrameRow
        let error: FileError
    }

    /// Deletes at most ``batch`` frames, including pinned ones.
    ///
    /// Returns frames whose files could not be removed, which are unchanged. Throws `spool-unavailable` or `spool-full`
    /// if the catalog fails or a folder cannot be flushed.
    func delete(_ rows: [FrameRow]) throws(Problem) -> [Kept] {
        guard !rows.isEmpty else { return [] }
        do throws(Problem) {
            try catalog.addTombstones(over: rows)
            return try end(rows)
        } catch {
            throw files.judged(error, in: folder)
        }
    }

    /// Completes deletions interrupted by a kill or a power cut; logs and keeps a frame whose file cannot be removed.
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

    /// Removes files and rows that have tombstones.
    ///
    /// Returns frames whose files could not be removed; their tombstones are deleted. On an error the tombstones stay,
    /// and the next start continues.
    private func end(_ rows: [FrameRow]) throws(Problem) -> [Kept] {
        var (gone, kept): ([FrameRow], [Kept]) = ([], [])
        let turns = Set(rows.map(\.camera)).map { camera in (camera, turnLatest(of: camera, from: rows)) }
        for row in rows {
            do throws(FileError) {
                try files.remove("\(folder)/\(row.path)")
                gone.append(row)
            } catch  where row.isLost && error.isOnTheWay {
                gone.append(row)  // its folder was replaced
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

    private func syncFolders(of rows: [FrameRow]) throws(FileError) {
        for parent in Set(rows.map(\.parent)).sorted() {
            do throws(FileError) {
                try files.syncFolder("\(folder)/\(parent)")
            } catch  where error.code == ENOENT || error.isOnTheWay {}  // removed with its contents
        }
    }

    /// State of a `latest.jpg` before frames are deleted.
    private enum Turn {
        /// Shows none of the frames.
        case none
        /// Points at another picture now.
        case done
        /// Deferred: no other picture, or no space for a link before the deletion.
        case waits
    }

    /// Points a `latest.jpg` that shows one of these frames at the newest other one.
    private func turnLatest(of camera: String, from rows: [FrameRow]) -> Turn {
        guard !configuration.ownLatest.contains(camera) else { return .none }
        do {
            guard try shows(files.latest(of: camera, configuration), of: camera, one: rows) else { return .none }
            guard let newest = try catalog.latestPath(of: camera, besides: rows) else { return .waits }
            try files.turnLatest(of: camera, to: newest, configuration)
            return .done
        } catch {
            logger.debug("\(error) latest.jpg is updated after the deletion.", metadata: ["camera": "\(camera)"])
            return .waits
        }
    }

    /// Points `latest.jpg` at the newest remaining picture, or removes it.
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
            // A copy, on file systems without symbolic links.
            let sha256 = SHA256.text(try files.read(path, atMost: FileLimit.picture))
            return rows.contains { $0.sha256 == sha256 }
        case .folder, .other, nil: return false
        }
    }
}

extension FrameRow {
    /// Folder of the file, relative to the spool.
    var parent: Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
}
