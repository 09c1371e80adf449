// SPDX-License-Identifier: Apache-2.0

/// The name of a picture's file relative to the spool, as in
/// `door/2026/11/21/143012.345678Z-000001234.jpg`: the camera's folder, and below it what a pattern makes of the rest.
package struct SpoolPath: Hashable, Sendable {
    /// The camera, valid by ``CameraName``.
    package let camera: String
    /// The text that a pattern gives below the camera's folder, without the number of the attempt and the ending.
    package let stem: String
    /// 1 for the first file of that stem; further ones have `-2`, `-3` and so on at the end.
    package var attempt: Int

    /// The most that ``attempt`` can be.
    static let lastAttempt = 100_000

    /// The name of the file `attempt` of `camera` with `stem`, which ``FileNames`` has made.
    init(camera: String, stem: String, attempt: Int = 1) {
        self.camera = camera
        self.stem = stem
        // That name is the link's to the newest picture, whatever a pattern makes of a camera called “latest”.
        self.attempt = stem == "latest" ? max(2, attempt) : attempt
    }

    /// The folders of the file, outermost first, relative to the spool; the camera's is the first.
    package var folders: [String] {
        var folders = [camera]
        for folder in stem.split(separator: "/").dropLast() {
            folders.append("\(folders[folders.count - 1])/\(folder)")
        }
        return folders
    }

    /// The file's name relative to the camera's folder: what `latest.jpg` links to.
    package var withinCamera: String { attempt == 1 ? "\(stem).jpg" : "\(stem)-\(attempt).jpg" }
}

extension SpoolPath: CustomStringConvertible {
    /// The path relative to the spool.
    package var description: String { "\(camera)/\(withinCamera)" }
}
