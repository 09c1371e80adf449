// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// `latest.jpg` of each camera: a link to a picture, or a copy without symbolic links; on the storage thread.
final class LatestPicture {
    /// Recency of the newest picture shown in this opening, by camera.
    private(set) var shown: [String: Recency] = [:]
    private unowned let spool: OpenSpool

    init(_ spool: OpenSpool) { self.spool = spool }

    static func path(of camera: String, in folder: String) -> String { "\(folder)/\(camera)/latest.jpg" }

    private func path(of camera: String) -> String { Self.path(of: camera, in: spool.folder) }

    /// Makes a link to the picture `name` in the camera's folder, or a copy of it, at `path`.
    func prepare(_ path: String, of camera: String, to name: String) throws(FileError) {
        do throws(FileError) {
            try spool.files.makeLink(path, to: name)
        } catch  where error.code == EPERM || error.code == EOPNOTSUPP {
            // FAT and exFAT have no symbolic links.
            let picture = try spool.files.read("\(spool.folder)/\(camera)/\(name)", atMost: FileLimit.picture)
            try spool.files.makeFile(path, picture, mode: spool.configuration.fileMode)
        }
    }

    func show(_ prepared: String, of camera: String, _ recency: Recency? = nil) throws(FileError) {
        try spool.files.replace(path(of: camera), by: prepared)
        if let recency { shown[camera] = recency }
    }

    /// Shows the picture at `picture`, relative to the spool; removes `latest.jpg` if nil.
    private func point(_ camera: String, at picture: String?) throws(FileError) {
        guard let picture else { return try spool.files.remove(path(of: camera)) }
        let new = "\(spool.incoming)/\(camera).newest"
        do throws(FileError) {
            try spool.files.remove(new)
            try prepare(new, of: camera, to: String(picture.dropFirst(camera.count + 1)))
            try show(new, of: camera)
        } catch {
            try? spool.files.remove(new)
            throw error
        }
    }

    /// Replaces `latest.jpg` by a picture without a row; not flushed.
    func replace(of camera: String, by picture: [UInt8]) throws(Problem) {
        let (mode, new) = (spool.configuration.fileMode, "\(spool.incoming)/\(camera).latest")
        do throws(FileError) {
            try spool.admission.withRoom(for: camera) { () throws(FileError) in
                try spool.tree.createFolders([camera])
                try spool.files.replaceFile(path(of: camera), by: picture, mode: mode, through: new)
            }
        } catch {
            if error.code == ENOENT { spool.tree.forgetFolders() }
            throw error.problem
        }
    }

    /// State of a `latest.jpg` before files are removed.
    enum Redirection {
        /// Shows none of them.
        case none
        /// Shows another picture now, or is removed if there is none.
        case done
        /// To be made after the removal, as without space for a link before it.
        case deferred
    }

    /// Makes a `latest.jpg` that shows one of these frames show the newest other one.
    func redirect(from rows: [FrameRow], of camera: String) -> Redirection {
        do {
            guard try shows(one: rows, of: camera) else { return .none }
            try point(camera, at: try newest(of: camera, besides: rows))
            return .done
        } catch {
            spool.logger.debug("\(error) latest.jpg is updated after the removal.", metadata: ["camera": "\(camera)"])
            return .deferred
        }
    }

    /// Completes a deferred redirection; `areKept` if the newest may be one of the files that could not be removed.
    func finish(_ redirection: Redirection, of camera: String, areKept: Bool) {
        guard redirection == .deferred || redirection == .done && areKept else { return }
        spool.attempt("latest.jpg shows nothing until the next still.", .warning, ["camera": "\(camera)"]) {
            try point(camera, at: try newest(of: camera))
        }
    }

    private func shows(one rows: [FrameRow], of camera: String) throws(FileError) -> Bool {
        let path = path(of: camera)
        switch try spool.files.status(of: path, following: false)?.kind {
        case .link:
            let target = try spool.files.target(ofLink: path)
            return rows.contains { $0.path == "\(camera)/\(target)" }
        case .file:
            guard !spool.configuration.ownLatest.contains(camera) else { return false }
            let sha256 = SHA256.text(try spool.files.read(path, atMost: FileLimit.picture))
            return rows.contains { $0.sha256 == sha256 }
        case .folder, .other, nil: return false
        }
    }

    /// Repairs a missing or dangling `latest.jpg`, or removes it if there is no picture.
    ///
    /// A regular file in its place is kept: it is in `ownLatest`, or the file system has no links. A missing one is not
    /// made in `ownLatest`; a link is from before. Throws if the spool is unusable.
    func repair(of camera: String) throws(Problem) {
        do throws(FileError) {
            if let present = try spool.files.status(of: path(of: camera), following: false) {
                guard present.kind == .link, try !leadsToPicture(of: camera) else { return }
            } else if spool.configuration.ownLatest.contains(camera) {
                return
            }
        } catch {
            return try spool.skip(error)
        }
        let newest = try newest(of: camera)
        _ = try spool.orSkip(try point(camera, at: newest))
    }

    /// True if the link leads to a regular file in the camera's folder, without further links.
    private func leadsToPicture(of camera: String) throws(FileError) -> Bool {
        let target = "\(camera)/\(try spool.files.target(ofLink: path(of: camera)))"
        guard SpoolPath.isPossible(target, of: camera) else { return false }
        return try spool.files.size(ofFile: "\(spool.folder)/\(target)") != nil
    }

    private static let mostMissing = 16

    /// Path of the newest still besides `others` whose file is there, relative to the spool.
    private func newest(of camera: String, besides others: [FrameRow] = []) throws(Problem) -> String? {
        let order = ArrivalOrder(order: .newest, cameras: [camera], isPinned: true, isLost: false, stillsOnly: true)
        let rows = try spool.catalog.rows(in: order, after: nil, limit: others.count + Self.mostMissing)
        return rows.first { row in
            !others.contains { $0.id == row.id } && StoredPicture.isThere(row, in: spool.folder, spool.files)
        }?.path
    }
}
