// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Deletes frames such that none reappears after a kill or a power cut; on the storage thread.
///
/// The steps, and what is on the disk after each, are under “The order of system calls” in docs/reference/spool.md.
struct FrameDeletion {
    let spool: OpenSpool

    /// Maximum number of frames per call, so that stills do not wait for long.
    static let batch = 100

    typealias Kept = (row: FrameRow, error: FileError)

    /// Deletes at most ``batch`` frames, including pinned ones; all deletions of rows use this method.
    ///
    /// Returns frames whose files could not be removed, which are unchanged. Throws `spool-unavailable` or `spool-full`
    /// if the catalog fails or a folder cannot be flushed.
    func delete(_ rows: [FrameRow]) throws(Problem) -> [Kept] {
        guard !rows.isEmpty else { return [] }
        return try spool.judging { () throws(Problem) in
            try spool.catalog.tombstones.add(over: rows, at: spool.clock.wall)
            return try finish(rows)
        }
    }

    /// As ``delete(_:)``, for rows that have tombstones.
    func deleteBuried(_ rows: [FrameRow]) throws(Problem) -> [Kept] {
        try spool.judging { () throws(Problem) in try finish(rows) }
    }

    /// Completes deletions interrupted by a kill or a power cut; logs and keeps a frame whose file cannot be removed.
    func finishInterrupted() throws(Problem) {
        var count = 0
        var last: [FrameRow] = []
        while true {
            let rows = try spool.catalog.tombstones.rows(limit: Self.batch)
            guard !rows.isEmpty else { break }
            guard rows != last else { throw spool.catalog.connection.isDamaged("rows that were deleted stay") }
            last = rows
            if let kept = try finish(rows).first { spool.logger.warning("\(kept.error) The frame stays.") }
            count += rows.count
        }
        if count > 0 {
            spool.logger.notice("Finished deletions that were interrupted", metadata: ["count": "\(count)"])
        }
    }

    /// Steps from `redirect link` to `delete rows`, for rows that have tombstones; then events and a deferred
    /// `latest.jpg`.
    ///
    /// Deletes the tombstones of files that could not be removed. On an error all stay, and the next start continues.
    private func finish(_ rows: [FrameRow]) throws(Problem) -> [Kept] {
        var (gone, kept): ([FrameRow], [Kept]) = ([], [])
        let redirections = Set(rows.map(\.camera)).sorted().map { ($0, spool.latest.redirect(from: rows, of: $0)) }
        for row in rows {
            do throws(FileError) {
                try spool.files.remove("\(spool.folder)/\(row.path)")
                gone.append(row)
            } catch  where row.isLost && error.isOnTheWay {
                gone.append(row)  // its folder was replaced
            } catch {
                kept.append((row, error))
            }
        }
        try asProblem(try flushFolders(of: gone))
        try spool.catalog.remove(gone)
        for camera in Set(gone.map(\.camera)).sorted() {
            let ids = gone.filter { $0.camera == camera }.map(\.id)
            spool.tell(.removed(ids, of: camera, from: spool.configuration.name))
        }
        for (camera, redirection) in redirections {
            spool.latest.finish(redirection, of: camera, areKept: kept.contains { $0.row.camera == camera })
        }
        if !kept.isEmpty { try spool.catalog.tombstones.remove(of: kept.map(\.row)) }
        return kept
    }

    private func flushFolders(of rows: [FrameRow]) throws(FileError) {
        for parent in Set(rows.map(\.parent)).sorted() {
            do throws(FileError) {
                try spool.files.syncFolder("\(spool.folder)/\(parent)")
            } catch  where error.code == ENOENT || error.isOnTheWay {}  // removed with its contents
        }
    }
}
