// SPDX-License-Identifier: Apache-2.0

/// The bounds that keep one client from harming the others.
package struct ServerLimits: Hashable, Sendable {
    /// For how long a connection may be open without a whole request head, from its start or from the last reply.
    package var idle: Duration
    /// For how long the body of a request may take to arrive.
    package var body: Duration
    /// For how long a client may leave a reply, or the rest of one, untaken.
    package var reply: Duration
    /// For how long requests in flight may go on once the server is told to stop.
    package var grace: Duration
    /// For how long the last replies may take to leave after that.
    package var parting: Duration
    /// The connections that are served at a time.
    ///
    /// An idle one costs some 16 kB: all together at most 33 MB.
    package var connections: Int
    /// The connections of one user (uid) that are served at a time: three quarters of all, so that others get in, and
    /// half as many again as the requests that may wait for frames.
    package var connectionsOfOneUser: Int
    /// The bytes that the body of a request may have.
    package var bodyBytes: Int
    /// The bytes that one header, and that all headers together, may have.
    package var headerBytes: Int

    /// Limits; what is left out has its default.
    package init(
        idle: Duration = .seconds(30),
        body: Duration = .seconds(10),
        reply: Duration = .seconds(30),
        grace: Duration = .milliseconds(200),
        parting: Duration = .milliseconds(100),
        connections: Int = 2048,
        connectionsOfOneUser: Int = 1536,
        bodyBytes: Int = 65_536,
        headerBytes: Int = 32_768
    ) {
        self.idle = idle
        self.body = body
        self.reply = reply
        self.grace = grace
        self.parting = parting
        self.connections = connections
        self.connectionsOfOneUser = connectionsOfOneUser
        self.bodyBytes = bodyBytes
        self.headerBytes = headerBytes
    }
}
