// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Mount point of a spool's file system, so that the empty folder below it is not used while it is unmounted.
struct SpoolMount: Hashable, Sendable {
    /// Nearest folder at or above the spool that is on another file system than its parent; `/` if none.
    let mountPoint: String

    /// The folder must exist.
    init(of folder: String, files: any FileSystem) throws(FileError) {
        var path = folder
        while path != "/" {
            guard try !Self.isMountPoint(path, files) else { break }
            path = path.enclosingFolder
        }
        mountPoint = path
    }

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
