// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

package enum ListenerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another `tintyped` holds the lock of the socket.
    case alreadyListening(path: String)
    /// A program that does not take the lock is listening at `path`.
    case taken(path: String)
    case notASocket(path: String)
    case pathTooLong(path: String, bytes: Int, limit: Int)
    case folderMissing(folder: String)
    case unknownGroup(name: String)
    case port(String, errno: CInt)
    case failed(call: String, path: String, errno: CInt)

    package var description: String {
        switch self {
        case .alreadyListening(let path):
            "Another tintyped is listening on \(path). Stop it, or give this one another path with --socket."
        case .taken(let path):
            "Another program is listening on \(path). Stop it, or give tintyped another path with --socket."
        case .notASocket(let path):
            "There is a file at \(path) that is not a socket. Move it away, or give another path with --socket."
        case .pathTooLong(let path, let bytes, let limit):
            "The socket's path \(path) has \(bytes) bytes and may have \(limit). Give a shorter one with --socket."
        case .folderMissing(let folder):
            "The socket's folder \(folder) does not exist. Create it, or give another path with --socket."
        case .unknownGroup(let name):
            "There is no group named \(name) for the socket. Create it with groupadd, or name another."
        case .port(let address, let errno):
            "tintyped cannot listen on \(address): \(ErrnoText.of(errno)). \(Self.remedy(ofPort: errno))"
        case .failed(let call, let path, let errno):
            "\(call) of \(path): \(ErrnoText.of(errno)). \(Self.remedy(call: call, errno: errno))"
        }
    }

    private static func remedy(ofPort errno: CInt) -> String {
        switch errno {
        case EADDRINUSE: "Stop the program that has this port (ss -ltnp shows it), or give another as tcp.port."
        case EADDRNOTAVAIL: "Give an address of this machine as tcp.address (ip address shows them)."
        case EACCES: "Give a port from 1024 on as tcp.port."
        case EAFNOSUPPORT, EPERM:
            "Leave only hosts and origins in tcp, if anything, and let systemd listen (tintyped-tcp.socket, see "
                + "docs/how-to/access.md), or allow tintyped the network in its unit."
        default: "Give another address or port (tcp) if this stays."
        }
    }

    private static func remedy(call: String, errno: CInt) -> String {
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
