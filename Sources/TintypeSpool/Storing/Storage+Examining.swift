// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel
internal import TintypeSystem

extension Storage {
    /// Returns if `error` concerns a single file, so that the caller can continue; throws if the spool is unusable.
    func passOver(_ error: FileError) throws(Problem) {
        guard !error.isOfOneName, let problem = examine() else { return }
        throw problem
    }

    /// Reason why the spool is unusable after a failed call, nil if the failure concerned one file, or space; blocks,
    /// possibly for ever if the disk is gone.
    func examine() -> Problem? {
        if let damage = catalog.damage { return catalog.isDamaged(damage) }
        do throws(FileError) {
            guard let spool = try files.status(of: folder, following: true), spool.device == site.device else {
                throw FileError("find the spool at", folder, code: ENODEV)
            }
            for name in [".incoming", ".lock"]
            where try files.status(of: "\(folder)/\(name)", following: false) == nil {
                throw FileError("find", "\(folder)/\(name)", code: ENOENT)
            }
            // Uses an existing file, so that no new name appears.
            try files.write([UInt8(ascii: "\n")], to: site.lock.file)
            try files.syncData(of: site.lock.file)
        } catch {
            return error.isFull ? nil : error.problem
        }
        do throws(Problem) {
            try catalog.checkSchema()
            try catalog.insert([], isDurable: true, at: clock.wall)
            guard catalogFailures >= 2 else { return nil }
            return Problem(
                .spoolUnavailable,
                "The catalog of the spool \(folder) failed \(catalogFailures) times.",
                remedy: "Wait: it is opened again, and rebuilt from the files if it is damaged.",
                retryAfter: .seconds(1)
            )
        } catch {
            let problem = files.judged(error, in: folder)
            return problem.code == .spoolFull ? nil : problem
        }
    }
}
