// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The observations of one round, before any conclusion.
struct DoctorEvidence: Equatable {
    /// The observations of the daemon.
    var daemon: DaemonEvidence
    /// The observations of each examined camera; without a daemon, of each node.
    var cameras: [CameraEvidence]
}

/// The observations of the daemon.
struct DaemonEvidence: Equatable, Encodable {
    /// The path of its socket.
    var socket: String
    /// Its version; nil if it does not answer.
    var version: String?
    /// Its own report of its health; nil if it does not answer.
    var health: Health?
    /// Its process; nil if that cannot be told.
    var pid: Int32?
    /// The user that it runs as or, where it does not run, the one that the package makes for it.
    var user: String?
    /// The groups of that user, as far as they can be told.
    var groups: [String]?
    /// Why it does not answer; nil if it does.
    var detail: String?
    /// The remedy for that.
    var remedy: String?
}

/// The observations of one camera.
struct CameraEvidence: Equatable, Encodable {
    /// Its name in the daemon; without a daemon the name of its node.
    var camera: String
    /// Its node, as this process sees it; nil where it has none that is known, as the test pattern.
    var node: NodeEvidence?
    /// The daemon's report of the examination; nil if there was none.
    var examination: Examination?
    /// Why the daemon did not.
    var failure: Problem?
}

/// This process's view of a device node.
struct NodeEvidence: Hashable, Encodable {
    /// Its path.
    var path: String
    /// Whether there is something at that path.
    var isThere = true
    /// Whether that is a character device.
    var isDevice = true
    /// The driver's name for it in sysfs.
    var name: String?
    /// The user that owns it.
    var owner: String?
    /// The group that owns it.
    var group: String?
    /// Its mode in octal digits.
    var mode: String?
    /// Whether this process may open it.
    var mayOpen = true
    /// Whether owner, group and mode let the daemon's user open it; nil if that user is not known.
    var daemonMayOpen: Bool?
    /// The processes that have it open.
    var holders: [NodeHolder] = []
    /// Processes that could not be looked into.
    var unseenProcesses = 0

    /// The node at `path`, there and unused.
    init(path: String) { self.path = path }
}

/// A process that has a node open.
struct NodeHolder: Hashable, Encodable {
    /// Its number.
    var pid: Int32
    /// Its name (/proc/PID/comm).
    var command: String
    /// The user that it runs as.
    var user: String
    /// Whether it is the daemon itself.
    var isDaemon: Bool
}

extension NodeHolder: CustomStringConvertible {
    /// As in `v4l2-ctl (pid 812, user root)`.
    var description: String { "\(command) (pid \(pid), user \(user))" }
}
