// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

extension Storage {
    /// A prepared `latest.jpg` that needs only a rename.
    struct LatestLink {
        /// Path of the prepared link in `.incoming`.
        let path: String
        let target: SpoolPath
    }

    /// Index of the newest stored still by camera, if newer than the one shown; excludes cameras in `ownLatest`.
    func newest(of candidates: [Candidate]) -> [String: Int] {
        var newest: [String: Int] = [:]
        for (index, candidate) in candidates.enumerated() where candidate.isIn {
            let (camera, newness) = (candidate.job.record.camera, candidate.job.newness)
            guard !configuration.ownLatest.contains(camera) else { continue }
            // Newer ones may have been stored earlier.
            let before = newest[camera].map { candidates[$0].job.newness } ?? shown[camera]
            if before.map({ newness > $0 }) ?? true { newest[camera] = index }
        }
        return newest
    }

    /// Prepares a link to the newest still of each camera, before the rows, since it can run out of space; if that
    /// fails, the camera's stills fail.
    func makeLinks(of candidates: inout [Candidate]) -> [String: LatestLink] {
        var links: [String: LatestLink] = [:]
        for (camera, index) in newest(of: candidates) {
            let job = candidates[index].job
            guard let path = candidates[index].path else { continue }
            let link = "\(incoming)/\(job.record.id)-\(job.number).latest"
            do throws(FileError) {
                try makingRoom(of: camera) { () throws(FileError) in
                    try files.makeLatest(link, of: camera, to: path.withinCamera, configuration)
                }
                links[camera] = LatestLink(path: link, target: path)
            } catch {
                for index in candidates.indices
                where candidates[index].isIn && candidates[index].job.record.camera == camera {
                    fail(&candidates[index], error.problem)
                }
            }
        }
        return links
    }

    /// Renames a prepared link into place, remade if another still is the newest that got its row; removes it without
    /// any.
    func show(_ link: LatestLink, of camera: String, _ candidate: Candidate?) {
        guard let candidate, let path = candidate.path else { return discard(link.path) }
        do throws(FileError) {
            if path != link.target {
                try files.remove(link.path)
                try files.makeLatest(link.path, of: camera, to: path.withinCamera, configuration)
            }
            try files.replace(files.latest(of: camera, configuration), by: link.path)
            shown[camera] = candidate.job.newness
        } catch {
            // The picture is stored as promised; only the link is outdated.
            discard(link.path)
            logger.warning("\(error) latest.jpg stays as it was.", metadata: ["camera": "\(camera)"])
        }
    }

    /// Replaces `latest.jpg` by a picture without a row; not flushed.
    func replaceLatest(of camera: String, by picture: [UInt8]) throws(Problem) {
        let (path, temporary) = (files.latest(of: camera, configuration), "\(incoming)/\(camera).latest")
        do throws(FileError) {
            try makingRoom(of: camera) { () throws(FileError) in
                try makeFolders([camera])
                try files.replaceFile(path, by: picture, mode: configuration.fileMode, through: temporary)
            }
        } catch {
            if error.code == ENOENT { folders = KnownFolders() }
            throw error.problem
        }
    }

    var latest: LatestPicture {
        LatestPicture(configuration: configuration, files: files, catalog: catalog, logger: logger)
    }

    /// Repairs a missing or dangling `latest.jpg`, or removes it if there is no picture.
    ///
    /// A regular file in its place is kept: it is in `ownLatest`, or the file system has no links. A missing one is not
    /// made in `ownLatest`; a link is from before.
    func repairLatest(of camera: String) throws(Problem) {
        let path = files.latest(of: camera, configuration)
        do throws(FileError) {
            if let present = try files.status(of: path, following: false) {
                guard present.kind == .link, try !leadsToPicture(path, of: camera) else { return }
            } else if configuration.ownLatest.contains(camera) {
                return
            }
        } catch {
            return try stay(error)
        }
        let newest = try latest.newest(of: camera)
        do throws(FileError) {
            try latest.show(newest, of: camera)
        } catch {
            try stay(error)
        }
    }

    /// True if the link leads to a regular file in the camera's folder, without further links.
    private func leadsToPicture(_ path: String, of camera: String) throws(FileError) -> Bool {
        let target = "\(camera)/\(try files.target(ofLink: path))"
        guard SpoolPath.isPossible(target, of: camera) else { return false }
        do throws(FileError) {
            return try files.status(of: "\(folder)/\(target)", following: false)?.kind == .file
        } catch  where error.isOnTheWay {
            return false
        }
    }
}

extension FileSystem {
    func latest(of camera: String, _ configuration: Spool.Configuration) -> String {
        "\(configuration.folder)/\(camera)/latest.jpg"
    }

    /// Atomically points `latest.jpg` at the picture at `path`, relative to the spool.
    func turnLatest(of camera: String, to path: String, _ configuration: Spool.Configuration) throws(FileError) {
        let new = "\(configuration.folder)/.incoming/\(camera).newest"
        do throws(FileError) {
            try remove(new)
            try makeLatest(new, of: camera, to: String(path.dropFirst(camera.count + 1)), configuration)
            try replace(latest(of: camera, configuration), by: new)
        } catch {
            try? remove(new)
            throw error
        }
    }

    /// Prepares a `latest.jpg` at `path`: a link to the picture `name` in the camera's folder, or a copy of it.
    func makeLatest(
        _ path: String,
        of camera: String,
        to name: String,
        _ configuration: Spool.Configuration
    ) throws(FileError) {
        do throws(FileError) {
            try makeLink(path, to: name)
        } catch  where error.code == EPERM || error.code == EOPNOTSUPP {
            // FAT and exFAT have no symbolic links.
            let picture = try read("\(configuration.folder)/\(camera)/\(name)", atMost: FileLimit.picture)
            try makeFile(path, picture, mode: configuration.fileMode)
        }
    }
}
