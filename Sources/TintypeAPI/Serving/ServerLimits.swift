// SPDX-License-Identifier: Apache-2.0

/// Limits that keep one client from harming the others.
package struct ServerLimits: Hashable, Sendable {
    /// Maximum time without a complete request head, from the start of the connection or the last reply.
    package var idle = Duration.seconds(30)
    /// Maximum time for the body of a request to arrive.
    package var body = Duration.seconds(10)
    /// Maximum time for a client to read 64 KiB of a reply, or its remainder.
    package var reply = Duration.seconds(30)
    /// Maximum unread reply bytes of all clients, and four times that of one peer.
    ///
    /// From half of it on, each client has one second instead of ``reply``.
    package var unreadReplyBytes = 128 << 20
    /// Time for requests in flight after shutdown begins.
    package var grace = Duration.milliseconds(200)
    /// Time for the last replies after ``grace``.
    package var parting = Duration.milliseconds(100)
    /// An idle connection costs 20 kB, and 58 kB after its first request: all together at most 120 MB.
    package var connections = 2048
    /// Maximum number of connections per user (uid) or TCP address: three quarters of all, leaving room for others.
    package var connectionsOfOnePeer = 1536
    /// Maximum size of the body of a request.
    package var bodyBytes = 65_536
    /// Maximum bytes received of an unread body, so that the client of one that is too large can read its reply.
    package var unreadBodyBytes = 1 << 20
    /// Maximum size of one header field and of the whole header, in bytes.
    package var headerBytes = 32_768

    /// At most half of the descriptors (RLIMIT_NOFILE) are connections: a shortage refuses clients, not cameras.
    package static func within(openFiles: Int) -> ServerLimits {
        var limits = ServerLimits()
        limits.connections = min(limits.connections, openFiles / 2)
        limits.connectionsOfOnePeer = limits.connections * 3 / 4
        return limits
    }
}
