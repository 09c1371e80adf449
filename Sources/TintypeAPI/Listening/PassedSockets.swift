// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel
package import TintypeSystem

/// Listening sockets passed by the service manager (sd_listen_fds(3)).
///
/// Clients that connect before the daemon runs, or during a restart, wait in their backlog.
package struct PassedSockets: Sendable {
    /// SD_LISTEN_FDS_START of sd_listen_fds(3).
    private static let first: CInt = 3

    /// Unix socket of the HTTP API; nil if none is passed.
    package private(set) var control: (descriptor: CInt, path: String)?
    package private(set) var network: [CInt] = []

    package static let none = PassedSockets()

    /// Port of the first of them.
    package var port: Int? {
        guard let first = network.first, case .network(let port)? = UnixSocket.listening(first) else { return nil }
        return port
    }

    private init() {}

    /// Listens on a port of 127.0.0.1, or on a free one if that is taken, for a daemon without a service manager.
    package init(loopback usual: UInt16) throws(ListenerError) {
        do throws(ListenerError) {
            network = [try UnixSocket.loopback(port: usual)]
        } catch {
            network = [try UnixSocket.loopback(port: 0)]
        }
    }

    /// Reads `LISTEN_PID` and `LISTEN_FDS` of the environment; call it once.
    ///
    /// Throws `invalid-request` for a descriptor that is not a listening stream socket, and for a second Unix socket.
    package init(environment: [String: String]) throws(Problem) {
        guard let process = environment["LISTEN_PID"], process == "\(getpid())",
            let count = environment["LISTEN_FDS"].flatMap(CInt.init), (1...1024).contains(count)
        else { return }
        for descriptor in Self.first..<(Self.first + count) {
            // Keep the sockets out of hook commands.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            switch UnixSocket.listening(descriptor) {
            case .unix(let path) where control == nil && path.hasPrefix("/"): control = (descriptor, path)
            case .network: network.append(descriptor)
            case .unix(let path): throw Self.unusable("a second Unix socket, or one without a path (“\(path)”)")
            case nil: throw Self.unusable("the descriptor \(descriptor), which is no stream socket that listens")
            }
        }
    }

    /// Answers waiting and new clients with a configuration problem; blocks for `time`.
    ///
    /// Without this, the service manager would restart the daemon at once for as long as connections are pending.
    package func refuseClients(for time: Duration, by clock: any MonotonicClock) {
        let sockets = (control.map { [$0.descriptor] } ?? []) + network
        let end = clock.now + time
        let problem = Problem(
            .stopping,
            "The configuration of tintyped is wrong.",
            remedy: "Correct it: “sudo -u tintype tintyped --check” names line and key, as the log does."
        )
        guard !sockets.isEmpty else { return }
        // At least once, even if `time` has already passed.
        repeat {
            for socket in sockets { UnixSocket.refuseClient(of: socket, with: problem) }
        } while clock.now < end
    }

    private static func unusable(_ what: String) -> Problem {
        Problem(
            .invalidRequest,
            "The service manager passes \(what).",
            remedy: "Give the socket unit one ListenStream= with a path and others with ports, and Accept=no."
        )
    }
}
