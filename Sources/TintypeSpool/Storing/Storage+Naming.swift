// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

extension Storage {
    private static let rememberedNames = 256

    /// Renames a file in `.incoming` by the pattern, with a number if the name is taken.
    func move(_ temporary: String, of record: StillRecord) throws(FileError) -> SpoolPath {
        var name = configuration.names.path(
            camera: record.camera,
            capturedAt: record.capturedAt,
            sequence: record.sequence,
            id: record.id
        )
        let first = name
        // With a coarse pattern, trying all names of a minute would take ever longer.
        if let next = nextAttempts[first] { name.attempt = next }
        try makeFolders(name.folders)
        name = try move(temporary, to: name)
        if nextAttempts.count >= Self.rememberedNames { nextAttempts.removeAll(keepingCapacity: true) }
        nextAttempts[first] = name.attempt + 1
        return name
    }

    /// Renames a file to `name`, or to the next free attempt of the same stem.
    func move(_ path: String, to name: SpoolPath) throws(FileError) -> SpoolPath {
        var name = name
        var hasRetried = false
        while true {
            do throws(FileError) {
                try files.move(path, to: "\(folder)/\(name)")
                return name
            } catch  where error.code == EEXIST && name.attempt < SpoolPath.lastAttempt {
                name.attempt += 1
            } catch  where error.code == ENOENT && !hasRetried {
                // The folder was removed after its creation.
                hasRetried = true
                folders = KnownFolders()
                try makeFolders(name.folders)
            }
        }
    }

    /// Removes a file that must not stay; a failure is logged, and the next start reconciles.
    func discard(_ path: String, isFlushed: Bool = false) {
        do throws(FileError) {
            try files.remove(path, isFlushed: isFlushed)
        } catch {
            logger.warning("\(error) The next start checks it again.")
        }
    }
}
