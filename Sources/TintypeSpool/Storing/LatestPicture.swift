// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Keeps a camera's `latest.jpg` on a picture that is there while the files of others are removed.
///
/// Use on the storage thread.
struct LatestPicture {
    let configuration: Spool.Configuration
    let files: any FileSystem
    let catalog: Catalog
    let logger: Logger

    private var folder: String { configuration.folder }

    /// State of a `latest.jpg` before files are removed.
    enum Turn {
        /// Shows none of them.
        case none
        /// Points at another picture now, or is removed if there is none.
        case done
        /// Deferred: no space for a link before the removal.
        case waits
    }

    /// Points a `latest.jpg` that shows one of these frames at the newest other one, or removes it.
    func turn(of camera: String, from rows: [FrameRow]) -> Turn {
        do {
            guard try shows(files.latest(of: camera, configuration), of: camera, one: rows) else { return .none }
            try show(try newest(of: camera, besides: rows), of: camera)
            return .done
        } catch {
            logger.debug("\(error) latest.jpg is updated after the removal.", metadata: ["camera": "\(camera)"])
            return .waits
        }
    }

    /// Makes a deferred turn; `areKept` if some files could not be removed, so that the newest may be one of them.
    func finish(_ turn: Turn, of camera: String, areKept: Bool) {
        guard turn == .waits || turn == .done && areKept else { return }
        do {
            try show(try newest(of: camera), of: camera)
        } catch {
            logger.warning("\(error) latest.jpg shows nothing until the next still.", metadata: ["camera": "\(camera)"])
        }
    }

    /// Points `latest.jpg` at the picture at `path`, relative to the spool, or removes it.
    func show(_ path: String?, of camera: String) throws(FileError) {
        guard let path else { return try files.remove(files.latest(of: camera, configuration)) }
        try files.turnLatest(of: camera, to: path, configuration)
    }

    /// Number of newest rows to check for a file.
    private static let mostMissing = 16

    /// Path of the newest picture besides `others` whose file is there, relative to the spool.
    func newest(of camera: String, besides others: [FrameRow] = []) throws(Problem) -> String? {
        let limit = others.count + Self.mostMissing
        let rows = try catalog.inOrder(.newest, of: [camera], pinned: true, lost: false, limit: limit).map(\.row)
        return rows.first { row in !others.contains { $0.id == row.id } && isThere(row) }?.path
    }

    private func isThere(_ row: FrameRow) -> Bool {
        do throws(FileError) {
            return try StoredPicture.wrongAtFirstSight(row, in: folder, files) == nil
        } catch {
            return false
        }
    }

    private func shows(_ path: String, of camera: String, one rows: [FrameRow]) throws(FileError) -> Bool {
        switch try files.status(of: path, following: false)?.kind {
        case .link:
            let target = try files.target(ofLink: path)
            return rows.contains { $0.path == "\(camera)/\(target)" }
        case .file:
            guard !configuration.ownLatest.contains(camera) else { return false }
            // A copy, on file systems without symbolic links.
            let sha256 = SHA256.text(try files.read(path, atMost: FileLimit.picture))
            return rows.contains { $0.sha256 == sha256 }
        case .folder, .other, nil: return false
        }
    }
}
