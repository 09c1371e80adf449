// SPDX-License-Identifier: Apache-2.0

/// Why an input gives no picture.
package enum SignalFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing is attached, or it is off (ENOLINK, `V4L2_IN_ST_NO_SIGNAL`).
    case noSignal = "no-signal"
    /// There is a signal, and the device cannot lock to it (ENOLCK, `V4L2_IN_ST_NO_H_LOCK` and the like).
    case noLock = "no-lock"
    /// There is a signal that the device cannot receive (ERANGE).
    case outOfRange = "out-of-range"
}
