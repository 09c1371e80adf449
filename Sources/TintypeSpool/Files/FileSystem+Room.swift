// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension FileSystem {
    /// A failure of the catalog as what it is: `spool-full` where its file system has room for less than 256 KiB or two
    /// files.
    ///
    /// SQLite says SQLITE_FULL only where write(2) said ENOSPC, and an input/output error where its shared memory or
    /// its journal found no room, or that it cannot open the catalog.
    func judged(_ problem: Problem, in folder: String) -> Problem {
        guard problem.code == .spoolUnavailable else { return problem }
        let bytes = (try? availableBytes(at: folder)) ?? .max
        guard bytes < 256 << 10 || SystemCalls.availableFiles(at: folder) < 2 else { return problem }
        return Problem(
            .spoolFull,
            problem.detail,
            remedy: SpoolRemedy.full("the file system that \(folder) is on"),
            retryAfter: .seconds(10)
        )
    }
}
