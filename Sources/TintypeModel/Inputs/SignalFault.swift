// SPDX-License-Identifier: Apache-2.0

/// Why there is no picture.
package enum SignalFault: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Nothing is attached, or it is off (ENOLINK, `V4L2_IN_ST_NO_SIGNAL`).
    case noSignal = "no-signal"
    /// There is a signal, and the device cannot lock to it (ENOLCK, `V4L2_IN_ST_NO_H_LOCK` and the like).
    case noLock = "no-lock"
    /// There is a signal that the device cannot receive (ERANGE).
    case outOfRange = "out-of-range"
    /// Pictures come, and they are black, which `reject` refuses.
    case black
    /// Pictures come, and they have one brightness and one colour, which `reject` refuses.
    case uniform
    /// Pictures come, and they do not change, which `reject` refuses.
    case frozen

    /// Whether it is about the input's signal, and not about the pictures that come.
    package var isOfInput: Bool { [.noSignal, .noLock, .outOfRange].contains(self) }
}
