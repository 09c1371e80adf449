// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Where the file system of a spool is mounted, so that the empty folder below is not taken for it once it is not.
struct SpoolPlace: Hashable, Sendable {
    /// The nearest folder at or above the spool that is on another file system than its parent; `/` for none.
    let mountPoint: String

    /// The place of a spool in `folder`, which is there.
    init(of folder: String, files: any FileSystem) throws(FileError) {
        var path = folder
        while path != "/" {
            guard try !Self.isMountPoint(path, files) else { break }
            path = path.enclosingFolder
        }
        mountPoint = path
    }

    /// Throws where nothing is mounted there any more.
    func check(_ folder: String, files: any FileSystem) throws(Problem) {
        guard mountPoint != "/" else { return }
        if try asProblem(try Self.isMountPoint(mountPoint, files)) { return }
        throw Problem(
            .spoolUnavailable,
            "The spool \(folder) is gone: nothing is mounted at \(mountPoint) any more.",
            remedy: "Mount its disk there again; tintyped then continues automatically.",
            retryAfter: .seconds(10)
        )
    }

    private static func isMountPoint(_ path: String, _ files: any FileSystem) throws(FileError) -> Bool {
        guard let status = try files.status(of: path, following: true) else { return false }
        return try files.status(of: path.enclosingFolder, following: true)?.device != status.device
    }
}
