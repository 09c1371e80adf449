// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// The events that the HTTP API tells; any thread, never blocks.
package protocol EventService: Sendable {
    /// The number of the newest event.
    var newest: Int { get }

    /// The events after that of the number `last`, the oldest first; a gap first where some are missing there.
    ///
    /// Not more than a client is to be sent at once; none where there are no newer ones.
    func events(after last: Int) -> [Event]

    /// Tells at once, and again whenever there are newer events, that it is time to look; ends with its task.
    func signals() -> AsyncStream<Void>
}
