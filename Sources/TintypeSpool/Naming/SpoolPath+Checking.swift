// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

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
