// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
internal import TintypeModel

struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// connect(2): `ENOENT`, `ECONNREFUSED` without a listener, `EACCES` or `EPERM`, and others.
        case missing, refused, denied, connection
        case deadline, closed
        case notHTTP = "not-http"
        /// The reply exceeds ``ControlResponse/sizeLimit``.
        case tooLarge = "too-large"
        case unexpected
    }

    let kind: Kind
    /// One sentence with the socket's path, or the daemon's own text.
    let detail: String
    let remedy: String

    init(_ kind: Kind, _ detail: String, remedy: String) {
        self.kind = kind
        self.detail = detail
        self.remedy = remedy
    }

    /// True for errors that are expected while the daemon restarts.
    var isPassing: Bool { [.missing, .refused, .connection, .closed, .deadline].contains(kind) }
    var description: String { "\(detail) \(remedy)" }

    static func deadline(_ limit: Duration, at socket: String) -> ClientError {
        let detail = "\(socket): no whole reply within \(limit.millisecondCount.rounded() / 1000) s."
        let remedy = "See whether tintyped is stuck (systemctl status tintyped, sudo journalctl -u tintyped)."
        return ClientError(.deadline, detail, remedy: remedy)
    }

    static func closed(at socket: String) -> ClientError {
        let remedy = "See why tintyped hung up (sudo journalctl -u tintyped), and ask again."
        return ClientError(.closed, "\(socket): the connection ended before the reply was whole.", remedy: remedy)
    }

    static func tooLarge(at socket: String) -> ClientError {
        let detail = "\(socket): the reply is larger than \(ControlResponse.sizeLimit >> 20) MiB."
        let remedy = "Ask for less at once, or check whether a program other than tintyped answers there."
        return ClientError(.tooLarge, detail, remedy: remedy)
    }

    static func notHTTP(at socket: String) -> ClientError {
        let remedy = "Give tintyped's own socket by --socket or TINTYPE_SOCKET."
        return ClientError(.notHTTP, "\(socket): the program that answers there does not speak HTTP.", remedy: remedy)
    }

    static func unexpected(_ detail: String) -> ClientError {
        let remedy = "Use a tintype of tintyped's version, and check that the socket is tintyped's."
        return ClientError(.unexpected, detail, remedy: remedy)
    }

    /// Maps an error of connect(2).
    static func connecting(to socket: String, _ error: any Error) -> ClientError {
        let code = (error as? IOError)?.errnoCode
        let start = "Start it (sudo systemctl start tintyped.socket tintyped)"
        switch code {
        case ENOENT, ENOTDIR:
            let detail = "tintyped does not seem to run: there is no socket at \(socket)."
            return ClientError(.missing, detail, remedy: "\(start), or name its socket by --socket or TINTYPE_SOCKET.")
        case ECONNREFUSED:
            let detail = "tintyped does not seem to run: no program listens at \(socket)."
            return ClientError(.refused, detail, remedy: "\(start); it replaces a socket file that was left behind.")
        case EACCES, EPERM:
            let remedy = Self.remedy(forGroup: group(of: socket))
            return ClientError(.denied, "Your user may not use \(socket).", remedy: remedy)
        default:
            let isTooLong = error is SocketAddressError
            let reason = isTooLong ? "the path is too long for a Unix socket (107 bytes)" : "\(error)"
            let detail = "connect to \(socket): \(code.map(ErrnoText.of) ?? reason)."
            let remedy = "Give the path of tintyped's socket by --socket or TINTYPE_SOCKET."
            return ClientError(.connection, detail, remedy: remedy)
        }
    }

    /// Remedy for a missing permission; never suggests joining the group root, which grants far more.
    static func remedy(forGroup group: String?) -> String {
        switch group {
        case nil: "Ask its owner for access, or run the command as a user who has it."
        case "root":
            "Run the command as root, or name a group of yours as socket.group in tintyped's configuration and restart it."
        case let group?: "Add it to the group \(group) (sudo usermod -aG \(group) USER) and log in again."
        }
    }

    /// Group that owns the socket or, if its folder is inaccessible, the folder.
    private static func group(of socket: String) -> String? {
        let owners = [socket, socket.enclosingFolder].map { path in
            (try? FileManager.default.attributesOfItem(atPath: path))?[.groupOwnerAccountName] as? String
        }
        return owners[0] ?? owners[1]
    }
}
