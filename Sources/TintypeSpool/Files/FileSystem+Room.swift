// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension FileSystem {
    /// A failure of the catalog as what it is: `spool-full` where its file system has less than 256 KiB left.
    ///
    /// SQLite says SQLITE_FULL only where write(2) said ENOSPC, and an input/output error where its shared memory or
    /// its journal found no room.
    func judged(_ problem: Problem, in folder: String) -> Problem {
        guard problem.code == .spoolUnavailable, let available = try? availableBytes(at: folder), available < 256 << 10
        else { return problem }
        return Problem(
            .spoolFull,
            problem.detail,
            remedy: "Free some space on the file system that \(folder) is on.",
            retryAfter: .seconds(10)
        )
    }
}
