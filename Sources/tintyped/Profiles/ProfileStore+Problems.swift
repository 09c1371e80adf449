// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel
internal import TintypeSpool

extension ProfileStore {
    /// The error of a profile that is no JSON object of values: EBADMSG.
    static let notUnderstood = EBADMSG

    /// A saved profile that cannot be used.
    static func damaged(_ name: String, _ reason: String) -> ControlProfile {
        ControlProfile(name: name, source: .saved, controls: ControlSettings(), damage: reason)
    }

    /// Why a profile with a foreign file name cannot be used.
    static let misnamed = "Its name is not a valid name of a profile. Remove it, or rename its file."

    /// The refusal of a profile of so many bytes.
    static func tooLarge(_ name: String, _ bytes: Int) -> Problem {
        Problem(
            .tooLarge,
            "The profile \(name) takes \(bytes) bytes; the limit for a profile is \(FileLimit.profile).",
            remedy: "Save fewer controls, or shorter texts."
        )
    }

    /// The refusal of a profile where there are as many as there can be.
    static func tooMany(of camera: String) -> Problem {
        Problem(
            .configurationConflict,
            "The camera \(camera) has \(most) saved profiles, which is the limit.",
            remedy: "Remove one that is not needed (tintype controls profiles lists them)."
        )
    }

    /// The problem that a client gets when a file of the state folder cannot be used.
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
