// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// A camera's trouble, from its first failure to the next good frame.
struct Outage {
    /// When it began.
    let began: MonotonicTime
    /// Whether a stream broke; else the camera could not be opened in the first place.
    let brokeStream: Bool
    /// Failures so far: of the stream and of the attempts to open it again.
    private(set) var failures = 0
    private var known: Set<String> = []

    /// How long a broken stream may take to come back before waiting clients are told.
    private static let patience = Duration.seconds(1)
    /// Kinds of failure that are told apart, so that a driver with ever new ones does not fill the memory.
    private static let limit = 16

    init(began: MonotonicTime, brokeStream: Bool) {
        self.began = began
        self.brokeStream = brokeStream
    }

    /// Records a failure, and returns whether it is the first of its kind in this outage.
    mutating func record(_ detail: String) -> Bool {
        failures += 1
        return known.count < Self.limit && known.insert(detail).inserted
    }

    /// Whether an attempt soon may well succeed, so that waiting clients do better to wait on.
    func expectsRecovery(from error: DeviceError, now: MonotonicTime) -> Bool {
        let isYoung = brokeStream && now - began < Self.patience
        return switch error {
        // A hiccup of the driver: opening it again heals most of them.
        case .system: failures <= 2 || isYoung
        // A device that the bus has reset is away for a moment.
        case .disconnected, .absent: isYoung
        case .damaged: true
        // Found again as soon as it is plugged in.
        case .unresolved(let problem):
            problem.code == .deviceLost && isYoung
        case .denied, .restricted, .busy, .notCapture, .unsupported, .onlyVideo, .noSignal, .usbBandwidth: false
        }
    }
}
