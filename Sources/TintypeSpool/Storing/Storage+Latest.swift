// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

extension Storage {
    /// A finished `latest.jpg` of a camera that needs only a rename.
    struct LatestLink {
        /// Its path in `.incoming`.
        let path: String
        let target: SpoolPath
    }

    /// The newest still of each camera that is in, where no newer one is shown.
    ///
    /// Without those of cameras whose `latest.jpg` is a picture of its own.
    func newest(of candidates: [Candidate]) -> [String: Int] {
        var newest: [String: Int] = [:]
        for (index, candidate) in candidates.enumerated() where candidate.isIn {
            let (camera, newness) = (candidate.job.record.camera, candidate.job.newness)
            guard !configuration.ownLatest.contains(camera) else { continue }
            // Newer ones may have been written sooner.
            let before = newest[camera].map { candidates[$0].job.newness } ?? shown[camera]
            if before.map({ newness > $0 }) ?? true { newest[camera] = index }
        }
        return newest
    }

    /// Makes a link to the newest still of each camera.
    ///
    /// Nothing that can run out of room is left for after the rows' insertion. Where a link cannot be made, the
    /// camera's stills fail.
    func makeLinks(of candidates: inout [Candidate]) -> [String: LatestLink] {
        var links: [String: LatestLink] = [:]
        for (camera, index) in newest(of: candidates) {
            let job = candidates[index].job
            guard let path = candidates[index].path else { continue }
            let link = "\(incoming)/\(job.record.id)-\(job.number).latest"
            do throws(FileError) {
                try files.makeLatest(link, of: camera, to: path.withinCamera, configuration)
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

    /// Puts a link in place, or removes it where no newer picture of its camera got its row; one whose picture did not get
    /// its row is made again for the newest that did.
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
            // The picture is stored as promised; only the link still shows the one before.
            discard(link.path)
            logger.warning("\(error) latest.jpg stays as it was.", metadata: ["camera": "\(camera)"])
        }
    }

    /// Puts a picture that has no row in the place of `latest.jpg`; nothing is flushed.
    func replaceLatest(of camera: String, by picture: [UInt8]) throws(Problem) {
        let (path, temporary) = (files.latest(of: camera, configuration), "\(incoming)/\(camera).latest")
        do throws(FileError) {
            try makeFolders([camera])
            try files.replaceFile(path, by: picture, mode: configuration.fileMode, through: temporary)
        } catch {
            if error.code == ENOENT { folders = KnownFolders() }
            throw error.problem
        }
    }

    /// Lets a `latest.jpg` that is missing or leads nowhere lead to the camera's newest picture, or removes it if there
    /// is none.
    ///
    /// A picture in its place stays: it is one of its own, or the file system has no links.
    func repairLatest(of camera: String) throws(Problem) {
        guard !configuration.ownLatest.contains(camera) else { return }
        let path = files.latest(of: camera, configuration)
        do throws(FileError) {
            if let present = try files.status(of: path, following: false) {
                guard present.kind == .link, try !leadsToPicture(path, of: camera) else { return }
            }
        } catch {
            return try stay(error)
        }
        let latest = try catalog.latestPath(of: camera)
        do throws(FileError) {
            guard let latest else { return try files.remove(path) }
            try files.turnLatest(of: camera, to: latest, configuration)
        } catch {
            try stay(error)
        }
    }

    /// Whether the link at `path` leads to a file in the camera's folder, over no other link.
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
    /// The path of a camera's `latest.jpg`.
    func latest(of camera: String, _ configuration: Spool.Configuration) -> String {
        "\(configuration.folder)/\(camera)/latest.jpg"
    }

    /// Lets the camera's `latest.jpg` show the picture at `path`, relative to the spool, by rename.
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

    /// Makes, at `path`, what needs only a rename to be the camera's `latest.jpg`: a link to the picture `name` in the
    /// camera's folder, or a copy of it.
    func makeLatest(
        _ path: String,
        of camera: String,
        to name: String,
        _ configuration: Spool.Configuration
    ) throws(FileError) {
        do throws(FileError) {
            try makeLink(path, to: name)
        } catch  where error.code == EPERM || error.code == EOPNOTSUPP {
            // FAT and exFAT know no links: a copy does as well.
            let picture = try read("\(configuration.folder)/\(camera)/\(name)", atMost: FileLimit.picture)
            try makeFile(path, picture, mode: configuration.fileMode)
        }
    }
}
