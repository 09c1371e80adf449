// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// Folder `.quarantine` for files that are no whole pictures; on the storage thread.
struct Quarantine {
    let spool: OpenSpool

    /// Maximum length of a name, which leaves room for a number suffix.
    private static let mostBytes = 240

    /// Moves a row's file there if it still differs from the stored picture; see ``isolate(_:_:)``.
    ///
    /// A film or clip, too large to be read here, was found to differ by `why`.
    func isolate(_ row: FrameRow, found why: String) throws(Problem) -> (quarantined: Int, lost: Int) {
        let (folder, files) = (spool.folder, spool.files)
        let picture = try spool.orSkip(
            row.kind == nil
                ? try StoredPicture(row, in: folder, files)
                : try StoredPicture.fault(of: row, in: folder, files) ?? .wrong(why)
        )
        guard case .wrong(let why)? = picture else { return (0, 0) }
        return try isolate(row, why)
    }

    /// Moves the wrong file of a row there, marks the row as lost and updates `latest.jpg`; returns what it changed.
    func isolate(_ row: FrameRow, _ why: String) throws(Problem) -> (quarantined: Int, lost: Int) {
        let redirection = spool.latest.redirect(from: [row], of: row.camera)
        let isMoved = try move(row.path, why)
        let lost = try spool.catalog.mark([row.path], isLost: true)
        spool.latest.finish(redirection, of: row.camera, areKept: false)
        return (isMoved ? 1 : 0, lost)
    }

    /// Moves an incomplete file there, under its path with dashes for slashes; false if it was not moved.
    func move(_ path: String, _ why: String) throws(Problem) -> Bool {
        let folder = "\(spool.folder)/.quarantine"
        let name = Self.name(of: path)
        do throws(FileError) {
            try spool.files.makeFolderIfMissing(folder, mode: spool.configuration.folderMode)
            var attempt = 1
            while true {
                do throws(FileError) {
                    let target = "\(folder)/\(name)" + (attempt == 1 ? "" : "-\(attempt)")
                    try spool.files.move("\(spool.folder)/\(path)", to: target)
                    break
                } catch  where error.code == EEXIST {
                    attempt += 1
                } catch  where error.code == ENOENT {
                    return false  // removed meanwhile
                }
            }
        } catch {
            try spool.skip(error)
            return false
        }
        spool.logger.warning(
            "A picture is incomplete: moved to \(folder)",
            metadata: ["path": "\(path)", "reason": "\(why)", MessageID.key: "\(MessageID.pictureQuarantined)"]
        )
        return true
    }

    /// The path with dashes for slashes; if too long, a prefix and a checksum of the path.
    private static func name(of path: String) -> String {
        let name = path.split(separator: "/").joined(separator: "-")
        guard name.utf8.count > mostBytes else { return name }
        var beginning = name
        while beginning.utf8.count > mostBytes - 21 { beginning.removeLast() }
        return "\(beginning)-\(SHA256.text(Array(path.utf8)).prefix(16)).jpg"
    }
}
