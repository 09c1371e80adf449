// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What keeps a camera open though no client waits for a frame: its warmth, start and stop by command, and leases.
struct CameraUse {
    /// Started by command: open until it is stopped.
    var isStarted = false
    /// Stopped by command: even a hot camera stays closed until a client asks.
    private(set) var isStopped = false
    /// The leases.
    var holds = HoldTable()

    /// Whether the device has to be open.
    func keepsOpen(_ warmth: Warmth) -> Bool { warmth == .hot && !isStopped || isStarted || !holds.isEmpty }

    /// How long the device stays open after its last use; nil for ever.
    func lingering(_ warmth: Warmth) -> Duration? {
        guard !isStarted, holds.isEmpty else { return nil }
        return switch warmth {
        case .hot: nil
        case .linger(let time): time
        case .cold: .zero
        }
    }

    /// The device is opened: a stop by command is over.
    mutating func opens() { isStopped = false }

    /// Stopped by command, which ends all leases; returns them.
    mutating func stop() -> [HoldTable.Hold] {
        isStarted = false
        isStopped = true
        return holds.release(nil)
    }
}
