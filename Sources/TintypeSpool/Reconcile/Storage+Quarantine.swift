// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

extension Storage {
    /// Quarantines a row's file if it still differs from the stored picture, marks the row as lost and updates
    /// `latest.jpg`; returns the numbers of files quarantined and rows lost.
    func setAside(_ row: FrameRow) throws(Problem) -> (quarantined: Int, lost: Int) {
        let picture = try orStay(try StoredPicture(row, in: folder, files))
        guard case .wrong(let why)? = picture else { return (0, 0) }
        return try setAside(row, why)
    }

    /// As ``setAside(_:)``, for a file already known to differ from its row.
    func setAside(_ row: FrameRow, _ why: String) throws(Problem) -> (quarantined: Int, lost: Int) {
        let turn = latest.turn(of: row.camera, from: [row])
        let isMoved = try quarantine(row.path, why)
        maintenance.totals = nil
        let lost = try catalog.mark([row.path], isLost: true)
        latest.finish(turn, of: row.camera, areKept: false)
        return (isMoved ? 1 : 0, lost)
    }

    /// Moves an incomplete file to `.quarantine`, under its path with dashes for slashes; false if it was not moved.
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
            "A picture is incomplete: moved to \(quarantine)",
            metadata: ["path": "\(path)", "reason": "\(why)", MessageID.key: "\(MessageID.pictureQuarantined)"]
        )
        return true
    }

    /// The path with dashes for slashes; if too long, a prefix and a checksum of the path.
    private static func quarantineName(of path: String) -> String {
        let name = path.split(separator: "/").joined(separator: "-")
        guard name.utf8.count > mostBytes else { return name }
        var beginning = name
        while beginning.utf8.count > mostBytes - 21 { beginning.removeLast() }
        return "\(beginning)-\(SHA256.text(Array(path.utf8)).prefix(16)).jpg"
    }

    /// Maximum length of a name, which leaves room for a number suffix.
    private static let mostBytes = 240
}
