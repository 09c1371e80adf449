// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Path of a picture's file relative to the spool, as in `door/2026/11/21/143012.345678Z-000001234.jpg`: the camera's
/// folder, and the rest by a pattern.
package struct SpoolPath: Hashable, Sendable, CustomStringConvertible {
    /// Valid by ``CameraName``.
    package let camera: String
    /// Text of the pattern below the camera's folder, without attempt number and extension.
    package let stem: String
    /// 1 for the first file of that stem; further files have the suffix `-2`, `-3` and so on.
    package var attempt: Int
    /// End of the name: one of ``endings``.
    package var ending = "jpg"

    /// Pictures, films and clips, clips as they were recorded.
    static let endings = ["jpg", "mp4", "mkv"]
    static func isVideo(_ path: String) -> Bool { endings.dropFirst().contains { path.hasSuffix(".\($0)") } }

    static let lastAttempt = 100_000

    init(camera: String, stem: String, attempt: Int = 1) {
        (self.camera, self.stem) = (camera, stem)
        // `latest.jpg` is the link to the newest picture, so a camera called “latest” must not get that name.
        self.attempt = stem == "latest" ? max(2, attempt) : attempt
    }

    /// Folders of the file relative to the spool, outermost first, beginning with the camera's.
    package var folders: [String] {
        var folders = [camera]
        for folder in stem.split(separator: "/").dropLast() {
            folders.append("\(folders[folders.count - 1])/\(folder)")
        }
        return folders
    }

    /// Path relative to the camera's folder: the target of `latest.jpg`.
    package var withinCamera: String { attempt == 1 ? "\(stem).\(ending)" : "\(stem)-\(attempt).\(ending)" }

    /// Path relative to the spool.
    package var description: String { "\(camera)/\(withinCamera)" }

    /// True if `path`, relative to the spool, is valid for a frame of `camera`.
    ///
    /// It must be below the camera's folder, without empty or hidden components, `.` or `..`, and within the length
    /// limits of a file system. Every row written has such a path. Compares bytes, as the kernel does.
    static func isPossible(_ path: String, of camera: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return CameraName.isValid(camera) && parts.count > 1 && parts[0].elementsEqual(camera.utf8)
            && endings.contains { path.utf8.suffix(4).elementsEqual(".\($0)".utf8) } && path.utf8.count < Int(PATH_MAX)
            && parts.allSatisfy { part in
                part.count <= Int(NAME_MAX) && part.first.map { $0 != UInt8(ascii: ".") } == true && !part.contains(0)
            }
    }

    /// As ``isPossible(_:of:)``, for the camera in the path.
    static func isPossible(_ path: String) -> Bool {
        let camera = path.utf8.prefix { $0 != UInt8(ascii: "/") }
        return isPossible(path, of: String(decoding: camera, as: UTF8.self))
    }
}
