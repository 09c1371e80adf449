// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

extension FrameDeletion {
    /// Lets a `latest.jpg` that showed one of these frames show the newest that is left, or removes it.
    ///
    /// A failure is logged: the frames are deleted all the same.
    func repairLatest(of camera: String, without rows: [FrameRow]) {
        guard !configuration.ownLatest.contains(camera) else { return }
        let path = "\(configuration.folder)/\(camera)/latest.jpg"
        do {
            guard try shows(path, of: camera, one: rows) else { return }
            guard let latest = try catalog.latestPath(of: camera) else { return try files.remove(path) }
            let new = "\(configuration.folder)/.incoming/\(camera).newest"
            try files.remove(new)
            try files.makeLatest(new, of: camera, to: String(latest.dropFirst(camera.count + 1)), configuration)
            try files.replace(path, by: new)
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
            // A copy, where the file system knows no links.
            let sha256 = Storage.digest(try files.read(path, atMost: FileLimit.picture))
            return rows.contains { $0.sha256 == sha256 }
        case .folder, .other, nil: return false
        }
    }
}
