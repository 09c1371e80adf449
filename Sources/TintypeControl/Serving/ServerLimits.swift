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
    /// The bytes that the body of a request may have.
    package var bodyBytes: Int
    /// The bytes that one header, and that all headers together, may have.
    package var headerBytes: Int

    /// Limits; what is left out has its default.
    package init(
        idle: Duration = .seconds(30),
        body: Duration = .seconds(10),
        reply: Duration = .seconds(30),
        grace: Duration = .milliseconds(300),
        bodyBytes: Int = 65_536,
        headerBytes: Int = 32_768
    ) {
        self.idle = idle
        self.body = body
        self.reply = reply
        self.grace = grace
        self.bodyBytes = bodyBytes
        self.headerBytes = headerBytes
    }
}
