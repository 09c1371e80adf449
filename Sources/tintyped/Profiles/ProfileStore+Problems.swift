// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel
internal import TintypeSpool

extension ProfileStore {
    /// What is said of a profile that is no JSON object of values: EBADMSG.
    static let notUnderstood = EBADMSG

    /// What a client is told when a file of the state folder cannot be used.
    func problem(_ error: FileError) -> Problem {
        var problem = error.problem
        switch error.code {
        case Self.notUnderstood: problem.remedy = "Save the profile again, or remove the file."
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR:
            problem.remedy =
                "Let the daemon's user (uid \(geteuid())) make and write \(folder), or name another folder with --state."
        default: break
        }
        return problem
    }
}
