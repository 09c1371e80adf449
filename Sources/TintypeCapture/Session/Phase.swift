// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// State machine of a session, with the data of each phase; the test PhaseTests has its table.
enum Phase {
    /// The device is closed without a failure.
    case off
    case opening
    case streaming(CaptureStream)
    /// The device is closed for a source change and will be reopened at the given time.
    case reopening(at: MonotonicTime)
    /// The device is closed after a failure and will be retried.
    case interrupted(Interruption)
    /// The device is closed after a failure and is not retried before a client asks.
    case failed(Interruption)
    case ended

    enum Event {
        /// An attempt to open the device begins, closing the current stream.
        case opens
        case streams(CaptureStream)
        /// The stream or the attempt to open the device has failed.
        case fails(Interruption, isRetried: Bool)
        /// The device is closed for a source change, and will be reopened at the given time.
        case sourceChanges(reopensAt: MonotonicTime)
        /// The device is closed on purpose.
        case closes
        case givesUp
        case ends
    }

    /// Phase after an event; nil for an illegal one.
    func after(_ event: Event) -> Phase? {
        switch (self, event) {
        case (.ended, _): nil
        case (.opening, .streams(let stream)): .streaming(stream)
        case (.opening, .fails(let interruption, let isRetried)), (.streaming, .fails(let interruption, let isRetried)):
            isRetried ? .interrupted(interruption) : .failed(interruption)
        case (.opening, _), (_, .streams), (_, .fails): nil
        case (_, .opens): .opening
        case (.streaming, .sourceChanges(let moment)): .reopening(at: moment)
        case (_, .sourceChanges): nil
        case (_, .closes): .off
        case (.off, .givesUp), (.reopening, .givesUp): .off
        case (.interrupted(let interruption), .givesUp), (.failed(let interruption), .givesUp): .failed(interruption)
        case (.streaming, .givesUp): nil
        case (_, .ends): .ended
        }
    }

    /// The current stream, if any; setting it is ignored in other phases.
    var stream: CaptureStream? {
        get { if case .streaming(let stream) = self { stream } else { nil } }
        set { if case .streaming = self, let newValue { self = .streaming(newValue) } }
    }

    /// The failure for which the device is closed, if any; setting it is ignored in other phases.
    var interruption: Interruption? {
        get {
            switch self {
            case .interrupted(let interruption), .failed(let interruption): interruption
            case .off, .opening, .streaming, .reopening, .ended: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .interrupted: self = .interrupted(newValue)
            case .failed: self = .failed(newValue)
            case .off, .opening, .streaming, .reopening, .ended: break
            }
        }
    }

    var hasEnded: Bool { if case .ended = self { true } else { false } }

    /// State in the API; times of `clock` are converted to wall-clock time.
    func state(by clock: any MonotonicClock) -> SessionState {
        switch self {
        case .off, .ended: .off
        case .opening, .reopening: .opening
        case .streaming(let stream): stream.isSettlingAwaited ? .settling : .running
        case .interrupted(let interruption):
            .interrupted(
                reason: interruption.reason,
                since: interruption.since,
                nextAttempt: clock.wall(at: interruption.nextAttempt)
            )
        case .failed(let interruption): .failed(reason: interruption.reason)
        }
    }

    /// Name for tests and the log.
    var name: String {
        switch self {
        case .off: "off"
        case .opening: "opening"
        case .streaming: "streaming"
        case .reopening: "reopening"
        case .interrupted: "interrupted"
        case .failed: "failed"
        case .ended: "ended"
        }
    }
}

struct Interruption {
    let reason: Problem
    /// Begin of the outage, which may have had several failed attempts.
    let since: Timestamp
    /// Time of the next attempt, if the session retries by itself.
    var nextAttempt: MonotonicTime
    /// Earliest time of an attempt triggered by a client.
    let earliest: MonotonicTime
}

/// A running stream as seen by the session; the device belongs to the camera's thread (``OpenCamera``).
struct CaptureStream {
    /// Number of the stream, counted from 1 for each session.
    let number: UInt64
    let began: MonotonicTime
    let format: CaptureFormat
    /// True if the device offers no larger size.
    let isLargest: Bool
    /// True for a stream of the largest size, opened for full-size stills in place of the usual size.
    let isFullSize: Bool
    var hasGivenFrame = false
    /// True while the first good frame is pending or a client waits for settled frames.
    var isSettlingAwaited = true
}
