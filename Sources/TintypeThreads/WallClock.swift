// SPDX-License-Identifier: Apache-2.0
internal import CV4L2

/// The machine's wall clock.
package enum WallClock {
    /// Whether the kernel knows it to be synchronised, by NTP or otherwise.
    ///
    /// False where it cannot be asked. The C function is `adjtimex`, which changes nothing with `modes` 0.
    package static var isSynchronized: Bool {
        let state = cv4l2_clock_state()
        return state >= 0 && state != CV4L2_CLOCK_UNSYNCHRONIZED
    }
}
