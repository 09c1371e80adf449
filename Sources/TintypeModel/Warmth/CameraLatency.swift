// SPDX-License-Identifier: Apache-2.0

/// What a picture of one camera costs in time, by the state that the request finds the camera in.
package struct CameraLatency: Hashable, Sendable, Codable {
    /// From a closed device to its first good frame: opening it, and the wait for that frame.
    ///
    /// Nil until it was measured.
    package var fromOff: Summary?
    /// From a request to its frame while the device streams: stills with `fresh` `request` or `next`.
    ///
    /// Nil until it was measured.
    package var fromRunning: Summary?

    /// The newest measurements of one kind.
    package struct Summary: Hashable, Sendable, Codable {
        /// How many measurements these figures are of: the newest 64 at most.
        package var count: Int
        /// As many were shorter as were longer.
        package var medianMs: Milliseconds
        /// The longest.
        package var worstMs: Milliseconds

        /// A summary of these figures.
        package init(count: Int, medianMs: Milliseconds, worstMs: Milliseconds) {
            self.count = count
            self.medianMs = medianMs
            self.worstMs = worstMs
        }
    }

    /// Latencies as they were measured; none by default.
    package init(fromOff: Summary? = nil, fromRunning: Summary? = nil) {
        self.fromOff = fromOff
        self.fromRunning = fromRunning
    }
}
