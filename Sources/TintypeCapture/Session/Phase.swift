// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// What a session is doing: the one place that says it, with what there is only meanwhile.
///
/// | phase | opens | streams | fails | source changes | closes | gives up | ends |
/// | --- | --- | --- | --- | --- | --- | --- | --- |
/// | off | opening | – | – | – | off | off | ended |
/// | opening | – | streaming | interrupted, failed | – | – | – | – |
/// | streaming | opening | – | interrupted, failed | reopening | off | – | ended |
/// | reopening | opening | – | – | – | off | off | ended |
/// | interrupted | opening | – | – | – | off | failed | ended |
/// | failed | opening | – | – | – | off | failed | ended |
/// | ended | – | – | – | – | – | – | – |
///
/// A dash is what must not happen. A device that fails is `interrupted` where the session tries it again by itself, and
/// `failed` where it waits until a client asks.
enum Phase {
    /// The device is closed, and nothing is wrong with it.
    case off
    /// The device is being opened.
    case opening
    /// The device is open and streams.
    case streaming(CaptureStream)
    /// The device is closed since its source has changed; it is opened again at this moment.
    case reopening(at: MonotonicTime)
    /// The device is closed after a failure and is tried again.
    case interrupted(Interruption)
    /// The device is closed after a failure, and is not tried again before a client asks.
    case failed(Interruption)
    /// The session has ended; it opens nothing any more.
    case ended

    /// What leads from one phase to the next.
    enum Event {
        /// An attempt to open the device begins; a stream that runs is closed for it.
        case opens
        /// The device streams.
        case streams(CaptureStream)
        /// The device, or an attempt to open it, has failed; the session tries again by itself or not.
        case fails(Interruption, isRetried: Bool)
        /// The source of the device has changed: it is closed, and opened again at this moment.
        case sourceChanges(reopensAt: MonotonicTime)
        /// The device is closed on purpose.
        case closes
        /// No client wants the device any more.
        case givesUp
        /// The session ends.
        case ends
    }

    /// The phase after an event; nil where the event must not happen.
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
}

/// Why a device is closed that was wanted, and when it is tried again.
struct Interruption {
    /// What clients are told.
    let reason: Problem
    /// When it failed.
    let since: MonotonicTime
    /// When it is tried again, if the session does that by itself.
    var nextAttempt: MonotonicTime
    /// From when on a client that asks has it tried before that.
    let earliest: MonotonicTime
}

extension Phase {
    /// The stream that runs; nil where none does.
    var stream: CaptureStream? {
        get { if case .streaming(let stream) = self { stream } else { nil } }
        set { if case .streaming = self, let newValue { self = .streaming(newValue) } }
    }

    /// Why the device is closed, and until when; nil where nothing is wrong with it.
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

    /// Whether the session has ended.
    var hasEnded: Bool { if case .ended = self { true } else { false } }

    /// Whether a closed device may be opened now.
    ///
    /// After a failure that is at the next attempt, and sooner where a client waits and that may help: not at every request
    /// though.
    func allowsAttempt(isInDemand: Bool, now: MonotonicTime) -> Bool {
        switch self {
        case .off: true
        case .opening, .streaming, .ended: false
        case .reopening(let moment): now >= moment
        case .interrupted(let interruption), .failed(let interruption):
            now >= interruption.nextAttempt || isInDemand && now >= interruption.earliest
        }
    }

    /// The state in the API's words; moments of `clock` become times of the wall clock.
    func state(by clock: any MonotonicClock) -> SessionState {
        switch self {
        case .off, .ended: .off
        case .opening, .reopening: .opening
        case .streaming(let stream): stream.isSettlingAwaited ? .settling : .running
        case .interrupted(let interruption):
            .interrupted(
                reason: interruption.reason,
                since: clock.wall(at: interruption.since),
                nextAttempt: clock.wall(at: interruption.nextAttempt)
            )
        case .failed(let interruption): .failed(reason: interruption.reason)
        }
    }

    /// A word for it, for tests and the log.
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

/// A stream that runs, as its session knows it; the device itself is its thread's (``OpenCamera``).
struct CaptureStream {
    /// Counts the streams that the session has started, from 1.
    let number: UInt64
    /// When opening its device began.
    let began: MonotonicTime
    /// What was granted to it.
    let granted: GrantedFormat
    /// Whether it has the largest size, for clients that want that, in place of the usual one.
    let isFullSize: Bool
    /// Whether the largest size is the usual one; nil until a client has asked for the largest.
    var isUsualFullSize: Bool?
    /// Whether it has given a good frame.
    var hasGivenFrame = false
    /// Whether the first good frame is awaited, or a client waits for settled ones.
    var isSettlingAwaited = true
}
