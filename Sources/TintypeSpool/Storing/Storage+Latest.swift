// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

extension Storage {
    /// A finished `latest.jpg` of a camera that needs only a rename.
    struct LatestLink {
        /// Its path in `.incoming`.
        let path: String
        /// Which candidate of the group it shows.
        let index: Int
        let newness: Newness
        /// Its target.
        let target: SpoolPath
    }

    /// Makes, for each camera, a link to the newest still of the group, where no newer one is shown.
    ///
    /// Nothing that can run out of room is left for after the rows' insertion. Where a link cannot be made, the
    /// camera's stills fail.
    func makeLinks(_ indices: [Int], of candidates: inout [Candidate]) -> [String: LatestLink] {
        var newest: [String: Int] = [:]
        for index in indices where candidates[index].isIn {
            let camera = candidates[index].job.record.camera
            guard !configuration.ownLatest.contains(camera) else { continue }
            if let other = newest[camera], candidates[other].job.newness > candidates[index].job.newness { continue }
            newest[camera] = index
        }
        var links: [String: LatestLink] = [:]
        for (camera, index) in newest {
            let job = candidates[index].job
            // Newer ones may have been written sooner.
            guard let path = candidates[index].path, shown[camera].map({ job.newness > $0 }) ?? true else { continue }
            let link = "\(incoming)/\(job.record.id)-\(job.number).latest"
            do throws(FileError) {
                try files.makeLatest(link, of: camera, to: path.withinCamera, configuration)
                links[camera] = LatestLink(path: link, index: index, newness: job.newness, target: path)
            } catch {
                for index in indices where candidates[index].isIn && candidates[index].job.record.camera == camera {
                    fail(&candidates[index], error.problem)
                }
            }
        }
        return links
    }

    /// Puts a link in place, or removes it if its picture did not get its row.
    func show(_ link: LatestLink, of camera: String, _ candidate: Candidate) {
        guard candidate.isIn, let path = candidate.path else { return discard(link.path) }
        do throws(FileError) {
            if path != link.target {
                try files.remove(link.path)
                try files.makeLatest(link.path, of: camera, to: path.withinCamera, configuration)
            }
            try files.replace("\(folder)/\(camera)/latest.jpg", by: link.path)
            shown[camera] = link.newness
        } catch {
            // The picture is stored as promised; only the link still shows the one before.
            discard(link.path)
            logger.warning("\(error) latest.jpg stays as it was.", metadata: ["camera": "\(camera)"])
        }
    }

    /// Puts a picture that has no row in the place of `latest.jpg`; nothing is flushed.
    func replaceLatest(of camera: String, by picture: [UInt8]) throws(Problem) {
        let (path, temporary) = ("\(folder)/\(camera)/latest.jpg", "\(incoming)/\(camera).latest")
        do throws(FileError) {
            try makeFolders([camera])
            try files.replaceFile(path, by: picture, mode: configuration.fileMode, through: temporary)
        } catch {
            if error.code == ENOENT { folders = KnownFolders() }
            throw error.problem
        }
    }
}

extension FileSystem {
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
