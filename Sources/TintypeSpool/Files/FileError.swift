// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A verb that takes the path as its object, as in "create" or "flush".
    package var operation: String
    /// Absolute path.
    package var path: String
    /// An errno(3) value.
    package var code: Int32

    package init(_ operation: String, _ path: String, code: Int32) {
        (self.operation, self.path, self.code) = (operation, path, code)
    }

    /// One sentence, as in: Cannot create /spool/door: permission denied.
    package var description: String { "Cannot \(operation) \(path): \(ErrnoText.of(code))." }

    /// Problem for clients: `spool-full` if space or quota is exhausted, otherwise `spool-unavailable`.
    package var problem: Problem {
        Problem(isFull ? .spoolFull : .spoolUnavailable, description, remedy: remedy, retryAfter: .seconds(10))
    }

    package var isFull: Bool { code == ENOSPC || code == EDQUOT }

    /// True if a file or a symbolic link, which is not followed, is in the place of a folder in the path.
    package var isOnTheWay: Bool { code == ENOTDIR || code == ELOOP }

    /// True if the error concerns this name only, not the disk.
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

/// Runs `work` and converts a ``FileError`` to its problem.
func asProblem<Value>(_ work: @autoclosure () throws(FileError) -> Value) throws(Problem) -> Value {
    do throws(FileError) {
        return try work()
    } catch {
        throw error.problem
    }
}

package enum SpoolRemedy {
    package static func full(_ place: String) -> String {
        "Let the spool delete old pictures (set minFree in retention: of the spool; “tintype frames retention” shows "
            + "and applies it), delete some yourself (tintype frames rm), or free space or inodes on \(place)."
    }
}
