// SPDX-License-Identifier: Apache-2.0
internal import Glibc

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
