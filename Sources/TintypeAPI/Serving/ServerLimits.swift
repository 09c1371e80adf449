// SPDX-License-Identifier: Apache-2.0

/// The bounds that keep one client from harming the others.
package struct ServerLimits: Hashable, Sendable {
    /// For how long a connection may be open without a whole request head, from its start or from the last reply.
    package var idle = Duration.seconds(30)
    /// For how long the body of a request may take to arrive.
    package var body = Duration.seconds(10)
    /// For how long a client may take to read 64 kB of a reply, or what is left of it.
    package var reply = Duration.seconds(30)
    /// The bytes of replies that all clients together may leave untaken before each has only a second.
    package var untakenBytes = 128 << 20
    /// For how long requests in flight may go on once the server is told to stop.
    package var grace = Duration.milliseconds(200)
    /// For how long the last replies may take to leave after that.
    package var parting = Duration.milliseconds(100)
    /// The connections that are served at a time.
    ///
    /// An idle one costs some 16 kB: all together at most 33 MB.
    package var connections = 2048
    /// The connections of one user (uid), or over TCP of one address, that are served at a time: three quarters of all, so that
    /// others get in.
    package var connectionsOfOnePeer = 1536
    /// The bytes that the body of a request may have.
    package var bodyBytes = 65_536
    /// The bytes of a body that are taken although nobody reads them, so that a client that sends too many gets its reply.
    package var unreadBodyBytes = 1 << 20
    /// The bytes that one header, and that all headers together, may have.
    package var headerBytes = 32_768

    /// The usual ones for a process that may have so many files open: no more than half of them are connections, so that a lack
    /// of them refuses clients and takes no camera its files.
    package static func within(openFiles: Int) -> ServerLimits {
        var limits = ServerLimits()
        let most = min(limits.connections, openFiles / 2)
        limits.connections = most
        limits.connectionsOfOnePeer = min(limits.connectionsOfOnePeer, most * 3 / 4)
        return limits
    }
}
