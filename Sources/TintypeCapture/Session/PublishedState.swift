// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
package import TintypeDevice
package import TintypeImaging
package import TintypeModel
internal import TintypeSystem

/// Published state of a session, under a lock of its own; any thread, never blocks.
package final class PublishedState: Sendable {
    private struct State {
        var snapshot = SessionSnapshot()
        var warmth = WarmthReport()
        var events: StateEventEmitter
    }

    private let state: Mutex<State>

    /// `tell` receives the events of `camera`, under the lock.
    init(camera: String = "", tell: @escaping EventSink = { _ in }) {
        state = Mutex(State(events: StateEventEmitter(camera: camera, tell: tell)))
    }

    package var snapshot: SessionSnapshot { state.withLock(\.snapshot) }

    /// Frame interval of the granted format; zero if it is not known.
    var interval: Duration { state.withLock { $0.snapshot.format?.interval?.duration ?? .zero } }
    package func update(_ change: (inout SessionSnapshot) -> Void) { state.withLock { change(&$0.snapshot) } }
    package func count(_ change: (inout CameraCounters) -> Void) { state.withLock { change(&$0.snapshot.counters) } }
    package func facts(at moment: MonotonicTime) -> CameraFacts { state.withLock { $0.snapshot.facts(at: moment) } }

    func updateControls(_ change: (inout ControlStatus) -> Void) {
        update { snapshot in
            var status = snapshot.controls ?? ControlStatus()
            change(&status)
            snapshot.controls = status
        }
    }

    /// Records the latency of a request made while the device was streaming.
    func recordLatency(of stamp: FrameStamp, for freshness: Freshness, requestedAt: MonotonicTime) {
        guard freshness == .request || freshness == .next, let opening = snapshot.opening,
            opening.began + opening.took <= requestedAt
        else { return }
        let latency = max(.zero, stamp.dequeued - requestedAt)
        updateWarmth { $0.fromRunning.add(latency) }
    }

    var warmth: WarmthReport { state.withLock(\.warmth) }
    func updateWarmth(_ change: (inout WarmthReport) -> Void) { state.withLock { change(&$0.warmth) } }

    func enter(_ new: SessionState) {
        state.withLock { state in
            state.snapshot.state = new
            state.events.show(new)
        }
    }

    func goodFrameCame() { state.withLock { $0.events.frameCame(in: $0.snapshot.state) } }
    func showStuck(_ problem: Problem) { state.withLock { $0.events.showStuck(problem) } }
    /// Reports the camera as off, and nothing after that, even if a driver call hangs.
    func end() { state.withLock { $0.events.end() } }
    func showReturn() { state.withLock { $0.events.showReturn(to: $0.snapshot.state) } }

    /// Bus address reported by the driver when the camera was last open, for the log.
    var bus: Logger.MetadataValue { "\(snapshot.identity?.busInfo ?? "unknown")" }
}

/// Published state of a session, readable without asking its thread.
package struct SessionSnapshot: Sendable {
    package var state = SessionState.off
    /// The last failure; nil after the next good frame or a stop.
    package var failure: Failure?
    package var identity: CameraIdentity?
    package var format: CaptureFormat?
    package var negotiation: Negotiation?
    package var configuration = SessionConfiguration()
    /// Number of the current ``configuration``, counted from 1.
    package var revision = 1
    /// Stamp of the newest good frame, if held.
    package var newest: FrameStamp?
    package var rate = RateMeter()
    package var opening: Opening?
    /// Nil before the first opening.
    package var controls: ControlStatus?
    package var reading: CameraReading?
    package var counters = CameraCounters()

    package struct Failure: Sendable {
        package let reason: Problem
        package let at: MonotonicTime
    }

    package struct Opening: Hashable, Sendable {
        package var began: MonotonicTime
        /// Time until the start of the stream.
        package var took: Duration
    }

    /// Maximum time between a frame and the exposure reading used for it.
    private static let readingReach = Duration.seconds(2)

    /// EXIF facts for a picture taken at `moment`, without an exposure reading unless one was made around then.
    func facts(at moment: MonotonicTime) -> CameraFacts {
        let reading = reading.flatMap {
            $0.readAt - moment <= Self.readingReach && moment - $0.readAt <= Self.readingReach ? $0 : nil
        }
        return CameraFacts(identity: identity, reading: reading, position: configuration.position)
    }

    func report(of camera: String) -> ConfigurationReport {
        var report = ConfigurationReport(camera: camera, revision: revision, configuration: configuration.settings)
        report.asked = negotiation?.asked
        report.granted = negotiation?.granted.format
        report.input = negotiation?.input
        report.crop = negotiation?.granted.crop
        report.unmet = negotiation?.unmet ?? []
        return report
    }
}

extension CaptureSession {
    /// Never waits for the thread; reports a hung driver call, as the daemon reads the status every two seconds.
    package var status: CameraStatus {
        let snapshot = published.snapshot
        let warmth = published.warmth
        // A shorter call, such as for a control, is no failure while no client waits for it.
        _ = context.hopelessProblem
        let stuck = context.stuckCall(after: DriverCalls.limit).map { SessionState.failed(reason: $0) }
        let state = stuck ?? snapshot.state
        var status = CameraStatus(name: name, identity: snapshot.identity, authorization: .authorized, state: state)
        status.format = snapshot.format
        status.framesPerSecond = snapshot.newest == nil ? nil : snapshot.rate.rate(at: clock.now)
        status.asked = snapshot.negotiation?.asked
        status.unmet = snapshot.negotiation.flatMap { $0.unmet.isEmpty ? nil : $0.unmet }
        status.input = snapshot.negotiation?.input
        status.crop = snapshot.negotiation?.granted.crop
        status.look = context.look?.status
        status.counters = snapshot.counters
        status.lastFrameAgeMs = snapshot.newest.map { Milliseconds(max(.zero, clock.now - $0.exposureStart)) }
        status.leadMs = snapshot.newest?.lead.map(Milliseconds.init)
        let leadOrigin = snapshot.configuration.lead == .auto ? LeadOrigin.assumed : .configured
        status.leadOrigin = snapshot.newest?.lead.map { _ in leadOrigin }
        status.stuckCall = context.calls.stuck()
        status.warmth = snapshot.configuration.warmth
        status.isStarted = warmth.use.isStarted
        status.holds = warmth.use.holds.holds.map { CameraHold($0, by: clock) }
        status.waiting = dispatcher.limiter.taken
        status.latency = warmth.latency
        status.controls = snapshot.controls
        status.tolerance = knownFaults.tolerance
        status.ring = ring?.status
        status.motion = motion?.status
        status.alarms = context.alarms?.status
        if [.opening, .settling].contains(status.state.name) { status.failure = snapshot.failure?.reason }
        return status
    }

    package var report: ConfigurationReport { published.snapshot.report(of: name) }
}

/// Emits each state change of a session once, and failed retries only if the reason changes; under the state's lock.
struct StateEventEmitter: Sendable {
    let camera: String
    let tell: EventSink
    private(set) var told: (name: SessionState.Name, code: ProblemCode?) = (.off, nil)
    private(set) var isLost = false
    /// True between the reports of a hung driver call and of its return.
    private(set) var isStuck = false
    /// True once a good frame came after the loss: a stream that starts may stay silent.
    private(set) var hasFrame = false
    private(set) var hasEnded = false

    /// Reports the loss of the camera with the state, and its return with the first good frame; nothing while a driver
    /// call hangs.
    mutating func show(_ state: SessionState) {
        let (name, code) = (state.name, state.reason?.code)
        // Also at a failure like the last one, which is not told again.
        if [.interrupted, .failed].contains(name) { hasFrame = false }
        guard !hasEnded, !isStuck, name != told.name || code != told.code, !(isLost && name == .opening) else { return }
        told = (name, code)
        tell(.state(state, of: camera))
        switch name {
        case .interrupted, .failed:
            guard !isLost else { return }
            isLost = true
            turn(.cameraLost, state, "The camera \(camera) gives no pictures.")
        case .settling, .running, .degraded: showBack(state)
        case .off, .opening: break
        }
    }

    /// Records a good frame; it may come just before the state of its stream.
    mutating func frameCame(in state: SessionState) {
        guard isLost else { return }
        hasFrame = true
        showBack(state)
    }

    private mutating func showBack(_ state: SessionState) {
        guard isLost, hasFrame, !isStuck, state.isStreaming else { return }
        isLost = false
        turn(.cameraBack, state, "The camera \(camera) gives pictures again.")
    }

    mutating func showStuck(_ problem: Problem) {
        show(.failed(reason: problem))
        isStuck = true
    }

    mutating func showReturn(to state: SessionState) {
        isStuck = false
        show(state)
    }

    mutating func end() {
        isStuck = false
        show(.off)
        (isLost, hasEnded) = (false, true)
    }

    private func turn(_ kind: Event.Kind, _ state: SessionState, _ detail: String) {
        var event = Event(kind, camera: camera, state.reason.map { "\(detail) \($0.detail)" } ?? detail)
        event.state = state
        tell(event)
    }
}

/// Configuration of a session, applied as a whole or not at all.
package struct SessionConfiguration: Hashable, Sendable {
    package var format: FormatWish
    package var input: InputWish
    package var warmth: Warmth
    package var controls: ControlSettings
    /// Permits an interruption of the stream for a full-size still.
    package var allowsGap: Bool
    /// Time between the start of exposure and the driver's timestamp.
    package var lead: StampLead
    /// Limit of the silence between frames; `off` also allows a `latest` frame of any age.
    package var stall = SilenceLimit.auto
    /// Limit of the silence before the first frame of a stream; `auto` is at least ``stall``.
    package var firstFrame = SilenceLimit.auto
    /// Fixed for the life of the session, as are ``motion``, ``look`` and ``alarms``.
    package var ring: RingConfiguration?
    package var motion: MotionSettings?
    package var look: CameraLook?
    package var alarms: [CameraAlarm: Duration]
    /// JPEG quality of stills that ask for none.
    package var quality = StillRequest.defaultQuality
    package var position: GeoPosition?
    package var overlay = OverlayStyle()

    package init(
        format: FormatWish = FormatWish(),
        input: InputWish = InputWish(),
        warmth: Warmth = .standard,
        controls: ControlSettings = ControlSettings(),
        ring: RingConfiguration? = nil,
        motion: MotionSettings? = nil,
        look: CameraLook? = nil,
        alarms: [CameraAlarm: Duration] = [:],
        allowsGap: Bool = true,
        lead: StampLead = .auto
    ) {
        (self.format, self.input, self.warmth, self.controls) = (format, input, warmth, controls)
        (self.ring, self.motion, self.look, self.alarms) = (ring, motion, look, alarms)
        (self.allowsGap, self.lead) = (allowsGap, lead)
    }

    /// The part of the configuration that the API exposes.
    package var settings: CameraSettings {
        get { CameraSettings(format: format, input: input, warmth: warmth) }
        set { (format, input, warmth) = (newValue.format, newValue.input, newValue.warmth) }
    }
}
