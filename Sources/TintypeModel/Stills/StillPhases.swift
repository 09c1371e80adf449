// SPDX-License-Identifier: Apache-2.0

/// How long each part of taking a still took; a part that was not needed is 0.
package struct StillPhases: Hashable, Sendable, Codable {
    /// Opening and configuring the device, to the start of its stream.
    package var open: Milliseconds
    /// Waiting for exposure and white balance.
    package var settle: Milliseconds
    /// Waiting for the frame.
    package var wait: Milliseconds
    /// Encoding it, or copying it out of the driver's buffer.
    package var encode: Milliseconds
    /// Storing it.
    package var store: Milliseconds

    /// Phases of these durations.
    package init(
        open: Duration = .zero,
        settle: Duration = .zero,
        wait: Duration = .zero,
        encode: Duration = .zero,
        store: Duration = .zero
    ) {
        self.open = Milliseconds(open)
        self.settle = Milliseconds(settle)
        self.wait = Milliseconds(wait)
        self.encode = Milliseconds(encode)
        self.store = Milliseconds(store)
    }
}
