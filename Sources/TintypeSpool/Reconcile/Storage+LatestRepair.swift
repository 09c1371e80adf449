// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension Storage {
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
