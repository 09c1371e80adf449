// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

extension Storage {
    /// Moves a file that is not whole to `.quarantine`, under its path with dashes for slashes; false where it stays.
    func quarantine(_ path: String) throws(Problem) -> Bool {
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
                    return false  // somebody has removed it meanwhile
                }
            }
        } catch {
            try stay(error)
            return false
        }
        logger.warning("A picture is not whole: moved to \(quarantine)", metadata: ["path": "\(path)"])
        return true
    }

    /// The path with dashes for slashes; where that is too long for a name, its beginning and a checksum of it.
    private static func quarantineName(of path: String) -> String {
        let name = path.split(separator: "/").joined(separator: "-")
        guard name.utf8.count > mostBytes else { return name }
        var beginning = name
        while beginning.utf8.count > mostBytes - 21 { beginning.removeLast() }
        return "\(beginning)-\(digest(Array(path.utf8)).prefix(16)).jpg"
    }

    /// The longest name, which leaves room for the number of another file of that name.
    private static let mostBytes = 240
}
