// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension ListenerError {
    static func remedy(call: String, errno: CInt) -> String {
        switch errno {
        case EPERM where call == "chown(2)":
            "Run tintyped as a member of that group, or leave the group out."
        case EACCES, EPERM:
            "Give tintyped's user write permission on the folder, or give another path with --socket."
        case EROFS: "Give a path on a writable filesystem with --socket."
        case ENOSPC, EDQUOT: "Free some space there, or give another path with --socket."
        case ENOTDIR, ELOOP, ENAMETOOLONG: "Give another path with --socket."
        case EMFILE, ENFILE: "Raise the limit of open files (LimitNOFILE= in the unit)."
        default: "Give another path with --socket if this stays."
        }
    }
}
