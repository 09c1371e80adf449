// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

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

extension SpoolPath {
    /// Whether `path`, relative to the spool, can be that of a picture of `camera`: below the camera's folder, with no
    /// part that is empty, hidden, `.` or `..`, and of a length that a file system takes.
    ///
    /// Every row that was written has such a path. By bytes, as the kernel reads them.
    static func isPossible(_ path: String, of camera: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return CameraName.isValid(camera) && parts.count > 1 && parts[0].elementsEqual(camera.utf8)
            && path.utf8.suffix(4).elementsEqual(".jpg".utf8) && path.utf8.count < Int(PATH_MAX)
            && parts.allSatisfy { part in
                part.count <= Int(NAME_MAX) && part.first.map { $0 != UInt8(ascii: ".") } == true && !part.contains(0)
            }
    }

    /// The same, of the camera that the path names.
    static func isPossible(_ path: String) -> Bool {
        let camera = path.utf8.prefix { $0 != UInt8(ascii: "/") }
        return isPossible(path, of: String(decoding: camera, as: UTF8.self))
    }
}
