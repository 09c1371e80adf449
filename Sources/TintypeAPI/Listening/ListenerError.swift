// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// A sentence on the failure, and one on the remedy.
package struct ListenerError: Error, CustomStringConvertible {
    package let description: String

    /// `action` is what else would help.
    static func path(_ detail: String, _ action: String) -> ListenerError {
        ListenerError(description: "\(detail) \(action), or give another path with --socket.")
    }

    static func port(_ address: String, errno: CInt) -> ListenerError {
        let remedy =
            switch errno {
            case EADDRINUSE: "Stop the program that has this port (ss -ltnp shows it), or give another as tcp.port."
            case EADDRNOTAVAIL: "Give an address of this machine as tcp.address (ip address shows them)."
            case EACCES: "Give a port from 1024 on as tcp.port."
            case EAFNOSUPPORT, EPERM:
                "Leave only hosts and origins in tcp, if anything, and let systemd listen (tintyped-tcp.socket, see "
                    + "docs/how-to/access.md), or allow tintyped the network in its unit."
            default: "Give another address or port (tcp) if this stays."
            }
        return ListenerError(description: "tintyped cannot listen on \(address): \(ErrnoText.of(errno)). \(remedy)")
    }

    /// The call that has just failed (errno).
    static func failed(_ call: String, _ path: String) -> ListenerError {
        let code = errno
        let remedy =
            switch code {
            case EPERM where call == "chown(2)": "Run tintyped as a member of that group, or leave the group out."
            case EACCES, EPERM:
                "Give tintyped's user write permission on the folder, or give another path with --socket."
            case EROFS: "Give a path on a writable filesystem with --socket."
            case ENOSPC, EDQUOT: "Free some space there, or give another path with --socket."
            case EMFILE, ENFILE: "Raise the limit of open files (LimitNOFILE= in the unit)."
            default: "Give another path with --socket."
            }
        return ListenerError(description: "\(call) of \(path): \(ErrnoText.of(code)). \(remedy)")
    }
}
