// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

extension Storage {
    /// Takes the file of a row out that is not what was stored: it is quarantined, its row lost, and `latest.jpg` leads to
    /// another.
    ///
    /// Looks again first: it is told of by other threads. Returns how many files and rows that were.
    func setAside(_ row: FrameRow) throws(Problem) -> (quarantined: Int, lost: Int) {
        let picture: StoredPicture
        do throws(FileError) {
            picture = try StoredPicture(row, in: folder, files)
        } catch {
            try stay(error)
            return (0, 0)
        }
        guard case .wrong(let why) = picture else { return (0, 0) }
        let done = try setAside(row.path, why)
        try repairLatest(of: row.camera)
        return done
    }

    /// The same of a file of which it is known that it is none of its row.
    func setAside(_ path: String, _ why: String) throws(Problem) -> (quarantined: Int, lost: Int) {
        let isMoved = try quarantine(path, why)
        maintenance.totals = nil
        return (isMoved ? 1 : 0, try catalog.mark([path], isLost: true))
    }

    /// Moves a file that is not whole to `.quarantine`, under its path with dashes for slashes; false where it stays.
    func quarantine(_ path: String, _ why: String) throws(Problem) -> Bool {
        let quarantine = "\(folder)/.quarantine"
        let name = Self.quarantineName(of: path)
        do throws(FileError) {
            try files.makeFolderIfMissing(quarantine, mode: configuration.folderMode)
            var attempt = 1
            while true {
                let target = "\(quarantine)/\(name)" + (attempt == 1 ? "" : "-\(attempt)")
                do throws(FileError) {
                    try files.move("\(folder)/\(path)", to: target)
                    break
                } catch  where error.code == EEXIST {
                    attempt += 1
                } catch  where error.code == ENOENT {
                    return false  // removed meanwhile
                }
            }
        } catch {
            try stay(error)
            return false
        }
        logger.warning(
            "A picture is not whole: moved to \(quarantine)",
            metadata: ["path": "\(path)", "reason": "\(why)", MessageID.key: "\(MessageID.pictureQuarantined)"]
        )
        return true
    }

    /// The path with dashes for slashes; where that is too long for a name, its beginning and a checksum of it.
    private static func quarantineName(of path: String) -> String {
        let name = path.split(separator: "/").joined(separator: "-")
        guard name.utf8.count > mostBytes else { return name }
        var beginning = name
        while beginning.utf8.count > mostBytes - 21 { beginning.removeLast() }
        return "\(beginning)-\(SHA256.text(Array(path.utf8)).prefix(16)).jpg"
    }

    /// The longest name, which leaves room for the number of another file of that name.
    private static let mostBytes = 240
}
