// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

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
        let latest = LatestPicture(configuration: configuration, files: files, catalog: catalog, logger: logger)
        let turns = Set(rows.map(\.camera)).map { camera in (camera, latest.turn(of: camera, from: rows)) }
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
        for (camera, turn) in turns {
            latest.finish(turn, of: camera, areKept: kept.contains { $0.row.camera == camera })
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
}

extension FrameRow {
    /// Folder of the file, relative to the spool.
    var parent: Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
}
