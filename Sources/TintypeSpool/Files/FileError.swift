// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// A system call on a file that failed.
package struct FileError: Error, Hashable, Sendable {
    /// The operation that failed, as in "create" or "flush": a verb that takes the path as its object.
    package var operation: String
    /// The absolute path that it was attempted on.
    package var path: String
    /// The errno(3) of the failure.
    package var code: Int32

    /// The failure of `operation` on `path` with `code`.
    package init(_ operation: String, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }
}

extension FileError: CustomStringConvertible {
    /// One sentence, as in: Cannot create /spool/door: permission denied.
    package var description: String { "Cannot \(operation) \(path): \(ErrnoText.of(code))." }
}

extension FileError {
    /// The problem that a client is told, with what to do about it: `spool-full` where room or quota has run out,
    /// `spool-unavailable` for everything else.
    package var problem: Problem {
        Problem(isFull ? .spoolFull : .spoolUnavailable, description, remedy: remedy, retryAfter: .seconds(10))
    }

    /// Whether room or quota has run out.
    package var isFull: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether there is no folder where the path has one: a file or a link, which is not followed.
    package var isOnTheWay: Bool { code == ENOTDIR || code == ELOOP }

    /// Whether it says something about this one name, and nothing about the disk.
    package var isOfOneName: Bool {
        let codes = [EACCES, EPERM, EXDEV, EINVAL, ENAMETOOLONG, EISDIR, ENOTSUP, EBUSY, ETXTBSY, ENOTEMPTY, EEXIST]
        return isOnTheWay || codes.contains(code)
    }

    private var remedy: String {
        switch code {
        case ENOSPC: SpoolRemedy.full("the file system that \(path) is on")
        case EDQUOT: SpoolRemedy.full("it, or raise the disk quota of the daemon's user (uid \(geteuid()))")
        case EFBIG: "Move it away: tintyped does not write files of that size there."
        case EACCES, EPERM:
            "Let the daemon's user (uid \(geteuid())) write to its folder, or name another spool folder with --spool."
        case EROFS:
            "Mount the file system read-write, let the service write there (ReadWritePaths= in “systemctl edit tintyped”), or "
                + "name another spool folder with --spool."
        case ENOENT: "Make its parent folder, or name another spool folder with --spool."
        case ENOTDIR, EEXIST, EISDIR, ELOOP, ENOTSUP:
            "Something else has that name: move it away, or name another spool folder with --spool."
        case EIO, ENXIO, ENODEV, ESTALE: "Look for errors of the disk in the kernel's log (dmesg), and replace it."
        case EXDEV: "The whole spool must be on one file system: mount nothing inside it."
        case EINVAL: "The path leads out of the spool: compare catalog and files with “tintype frames verify”."
        case EMFILE, ENFILE: "Raise the limit of open files (LimitNOFILE=, ulimit -n)."
        case ENAMETOOLONG: "Name a spool folder with a shorter path."
        default: "Check the spool folder and its disk."
        }
    }
}

/// The value of `work`; where a file fails, throws the problem that a client is told.
func asProblem<Value>(_ work: @autoclosure () throws(FileError) -> Value) throws(Problem) -> Value {
    do throws(FileError) {
        return try work()
    } catch {
        throw error.problem
    }
}

/// Remedies that several failures of a spool have in common.
package enum SpoolRemedy {
    /// The remedy where there is no room left on `place`.
    package static func full(_ place: String) -> String {
        "Let the spool delete old pictures (set retention: of the spool in the configuration; “tintype frames retention” "
            + "shows and applies it), delete some yourself (tintype frames rm), or free space or inodes on \(place)."
    }
}
