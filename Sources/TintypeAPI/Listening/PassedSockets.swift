// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel
package import TintypeSystem

/// The sockets that the service manager listens on and passes to the daemon (sd_listen_fds(3)): clients that come before
/// the daemon runs, or while it is started again, wait in their queues.
package struct PassedSockets: Sendable {
    /// The first descriptor that is passed.
    private static let first: CInt = 3

    /// The Unix socket of the HTTP API, with its path; nil where none is passed.
    package let control: (descriptor: CInt, path: String)?
    /// Sockets of the network.
    package let network: [CInt]

    /// None.
    package static let none = PassedSockets(control: nil, network: [])

    private init(control: (descriptor: CInt, path: String)?, network: [CInt]) {
        (self.control, self.network) = (control, network)
    }

    /// Those that the variables `LISTEN_PID` and `LISTEN_FDS` of the environment tell of; may be called once.
    ///
    /// Throws `invalid-request` for what is no socket that listens, and for two Unix sockets.
    package init(environment: [String: String]) throws(Problem) {
        guard let process = environment["LISTEN_PID"], process == "\(getpid())",
            let count = environment["LISTEN_FDS"].flatMap(CInt.init), (1...1024).contains(count)
        else {
            self = .none
            return
        }
        var control: (descriptor: CInt, path: String)?
        var network: [CInt] = []
        for descriptor in Self.first..<(Self.first + count) {
            // Not for the commands of hooks.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            switch UnixSocket.listening(descriptor) {
            case .unix(let path) where control == nil && path.hasPrefix("/"): control = (descriptor, path)
            case .network: network.append(descriptor)
            case .unix(let path): throw Self.unusable("a second Unix socket, or one without a path (“\(path)”)")
            case nil: throw Self.unusable("the descriptor \(descriptor), which is no stream socket that listens")
            }
        }
        self.init(control: control, network: network)
    }

    /// Tells each client that waits, and those that come within `time`, that the daemon cannot start; blocks for so
    /// long, by `clock`.
    ///
    /// Otherwise the service manager would start it again at once, for as long as their connections wait.
    package func refuseClients(for time: Duration, by clock: any MonotonicClock) {
        let sockets = (control.map { [$0.descriptor] } ?? []) + network
        let end = clock.now + time
        let problem = Problem(
            .stopping,
            "The configuration of tintyped is wrong.",
            remedy: "Correct it: “sudo -u tintype tintyped --check” names line and key, as the log does."
        )
        guard !sockets.isEmpty else { return }
        // Once at least, however late this process is.
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
