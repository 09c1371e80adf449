// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
internal import TintypeImaging
package import TintypeModel

/// Published state of a session, readable without asking its thread.
package struct SessionSnapshot: Sendable {
    package var state = SessionState.off
    /// The last failure; nil after the next good frame or a stop.
    package var failure: Failure?
    /// The current device, or the last one.
    package var identity: CameraIdentity?
    package var format: CaptureFormat?
    package var negotiation: Negotiation?
    package var position: GeoPosition?
    package var overlay = OverlayStyle()
    package var configuration = SessionConfiguration()
    /// Number of the current ``configuration``, counted from 1.
    package var revision = 1
    /// Stamp of the newest good frame, if held.
    package var newest: FrameStamp?
    /// Frame rate since the last opening.
    package var rate = RateMeter()
    /// Silence for longer than this is a stall; also the maximum age of a `latest` frame.
    package var stallLimit = Duration.seconds(2)
    package var opening: Opening?
    /// Nil before the first opening.
    package var controls: ControlStatus?
    /// Last exposure and focus reading; nil before the first one, or if the device does not report them.
    package var reading: CameraReading?
    /// Counters since the start of the daemon.
    package var counters = CameraCounters()
    /// EXIF data reused from the last picture.
    let exif = PreparedExif()

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
        return CameraFacts(identity: identity, reading: reading, position: position, exif: exif)
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

    /// Source of the newest frame's lead; nil without a lead.
    fileprivate var leadOrigin: LeadOrigin? {
        newest?.lead.map { _ in configuration.lead == .auto ? .assumed : .configured }
    }
}

extension CaptureSession {
    /// Full status of the camera, from published state; never waits for its thread.
    package var status: CameraStatus {
        let snapshot = published.snapshot
        let warmth = published.warmth
        let stuck = context.stuckCall(after: DriverCalls.limit).map { SessionState.failed(reason: $0) }
        let state = stuck ?? snapshot.state
        var status = CameraStatus(name: name, identity: snapshot.identity, authorization: .authorized, state: state)
        status.format = snapshot.format
        status.framesPerSecond = snapshot.newest == nil ? nil : snapshot.rate.rate(at: clock.now)
        status.asked = snapshot.negotiation?.asked
        status.unmet = snapshot.negotiation.flatMap { $0.unmet.isEmpty ? nil : $0.unmet }
        status.input = snapshot.negotiation?.input
        status.crop = snapshot.negotiation?.granted.crop
        status.counters = snapshot.counters
        status.lastFrameAgeMs = snapshot.newest.map { Milliseconds(max(.zero, clock.now - $0.exposureStart)) }
        status.leadMs = snapshot.newest?.lead.map(Milliseconds.init)
        status.leadOrigin = snapshot.leadOrigin
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
        if [.opening, .settling].contains(status.state.name) { status.failure = snapshot.failure?.reason }
        return status
    }

    /// The configuration and the granted values, from published state.
    package var report: ConfigurationReport { published.snapshot.report(of: name) }
}
