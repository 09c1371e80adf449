// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import TintypeModel

package struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The socket does not exist (`ENOENT`).
        case missing
        /// The socket file exists, but no program listens (`ECONNREFUSED`).
        case refused
        /// The user lacks permission to connect (`EACCES`, `EPERM`).
        case denied
        case connection
        /// No complete reply arrived in time.
        case deadline
        /// The connection closed before the reply was complete.
        case closed
        case notHTTP = "not-http"
        /// The reply exceeds ``ControlResponse/sizeLimit``.
        case tooLarge = "too-large"
        case unexpected
    }

    package let kind: Kind
    /// One sentence with the socket's path, or the daemon's own text.
    package let detail: String
    package let remedy: String

    package init(_ kind: Kind, _ detail: String, remedy: String) {
        self.kind = kind
        self.detail = detail
        self.remedy = remedy
    }

    package var description: String { "\(detail) \(remedy)" }

    static func deadline(_ limit: Duration, at socket: String) -> ClientError {
        ClientError(
            .deadline,
            "\(socket): no whole reply within \(limit.millisecondCount.rounded() / 1000) s.",
            remedy: "See whether tintyped is stuck (systemctl status tintyped, sudo journalctl -u tintyped)."
        )
    }

    static func closed(at socket: String) -> ClientError {
        ClientError(
            .closed,
            "\(socket): the connection ended before the reply was whole.",
            remedy: "See why tintyped hung up (sudo journalctl -u tintyped), and ask again."
        )
    }

    static func tooLarge(at socket: String) -> ClientError {
        ClientError(
            .tooLarge,
            "\(socket): the reply is larger than \(ControlResponse.sizeLimit >> 20) MiB.",
            remedy: "Ask for less at once, or check whether a program other than tintyped answers there."
        )
    }

    static func notHTTP(at socket: String) -> ClientError {
        ClientError(
            .notHTTP,
            "\(socket): the program that answers there does not speak HTTP.",
            remedy: "Give tintyped's own socket by --socket or TINTYPE_SOCKET."
        )
    }

    /// Maps an error of connect(2).
    static func connecting(to socket: String, _ error: any Error) -> ClientError {
        let remedy = "Give the path of tintyped's socket by --socket or TINTYPE_SOCKET."
        guard let error = error as? IOError else {
            let reason = error is SocketAddressError ? "the path is too long for a Unix socket (107 bytes)" : "\(error)"
            return ClientError(.connection, "connect to \(socket): \(reason).", remedy: remedy)
        }
        switch error.errnoCode {
        case ENOENT, ENOTDIR:
            return ClientError(
                .missing,
                "tintyped does not seem to run: there is no socket at \(socket).",
                remedy:
                    "Start it (sudo systemctl start tintyped.socket tintyped), or name its socket by --socket or TINTYPE_SOCKET."
            )
        case ECONNREFUSED:
            return ClientError(
                .refused,
                "tintyped does not seem to run: no program listens at \(socket).",
                remedy:
                    "Start it (sudo systemctl start tintyped.socket tintyped); it replaces a socket file that was left behind."
            )
        case EACCES, EPERM:
            return ClientError(
                .denied,
                "Your user may not use \(socket).",
                remedy: Self.remedy(forGroup: group(of: socket))
            )
        case let code:
            return ClientError(.connection, "connect to \(socket): \(ErrnoText.of(code)).", remedy: remedy)
        }
    }

    static func unexpected(_ detail: String) -> ClientError {
        ClientError(
            .unexpected,
            detail,
            remedy: "Use a tintype of tintyped's version, and check that the socket is tintyped's."
        )
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

    /// Group that owns the socket or, if its folder is inaccessible, the nearest accessible parent folder.
    private static func group(of socket: String) -> String? {
        var path = socket
        while path != "/", path != "." {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            if let name = attributes?[.groupOwnerAccountName] as? String { return name }
            path = path.enclosingFolder
        }
        return nil
    }
}
