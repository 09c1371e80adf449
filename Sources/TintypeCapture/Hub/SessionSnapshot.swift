// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
internal import TintypeImaging
package import TintypeModel

/// What a session publishes, so that no reader has to ask its thread.
package struct SessionSnapshot: Sendable {
    /// What the session is doing.
    package var state = SessionState.off
    /// What it last failed with, and when; nil once a good frame has come since.
    package var failure: Failure?
    /// Which device it has, or had last.
    package var identity: CameraIdentity?
    /// What the driver granted when the device was last opened.
    package var format: CaptureFormat?
    /// What was agreed on with the driver when the device was last opened.
    package var negotiation: Negotiation?
    /// Where the camera stands, for the pictures' EXIF data; nil if that is not known.
    package var position: GeoPosition?
    /// How texts are written into its pictures.
    package var overlay = OverlayStyle()
    /// The configuration, and the count of its changes: 1 for the first.
    package var configuration = SessionConfiguration()
    /// See ``configuration``.
    package var revision = 1
    /// The newest good frame that is held.
    package var newest: FrameStamp?
    /// The rate of the frames that have come since the device was last opened.
    package var rate = RateMeter()
    /// Silence for longer than this is a stall; the age at which a frame is not `latest` any more.
    package var stallLimit = Duration.seconds(2)
    /// When the device was last opened, and how long that took up to the start of its stream.
    package var opening: Opening?
    /// What is known of its controls; nil before it was first opened.
    package var controls: ControlStatus?
    /// What the device last said of its exposure and focus; nil before it was asked, and where it cannot tell.
    package var reading: CameraReading?
    /// Counters since the daemon started.
    package var counters = CameraCounters()
    /// The EXIF data of its last picture.
    let exif = PreparedExif()

    /// An attempt that failed, or a stream that broke off.
    package struct Failure: Sendable {
        /// What clients are told.
        package let reason: Problem
        /// When it failed.
        package let at: MonotonicTime
    }

    /// When the device was last opened.
    package struct Opening: Hashable, Sendable {
        /// The begin.
        package var began: MonotonicTime
        /// The time to the start of the stream.
        package var took: Duration
    }
}

extension SessionSnapshot {
    /// How far apart a frame and what the device said of itself may be to belong together.
    private static let readingReach = Duration.seconds(2)

    /// What is known of the camera for a picture that was taken at `moment`; without a reading unless it was asked
    /// around then.
    func facts(at moment: MonotonicTime) -> CameraFacts {
        let reading = reading.flatMap {
            $0.readAt - moment <= Self.readingReach && moment - $0.readAt <= Self.readingReach ? $0 : nil
        }
        return CameraFacts(identity: identity, reading: reading, position: position, exif: exif)
    }

    /// Where the lead of the newest frame comes from; nil where it has none.
    fileprivate var leadOrigin: LeadOrigin? {
        guard let newest, newest.lead != nil else { return nil }
        switch configuration.lead {
        case .fixed: return .configured
        case .auto: return .assumed
        }
    }
}

extension CaptureSession {
    /// All that is known of the camera, from what the session last published: never waits for its thread.
    package nonisolated var status: CameraStatus {
        let snapshot = hub.snapshot
        let warmth = hub.warmth
        var status = CameraStatus(
            name: name,
            identity: snapshot.identity,
            authorization: .authorized,
            state: context.stuckCall(after: DriverCalls.limit).map { .failed(reason: $0) } ?? snapshot.state
        )
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
        status.stuckCall = calls.stuck()
        status.warmth = snapshot.configuration.warmth
        status.isStarted = warmth.use.isStarted
        status.holds = warmth.use.holds.holds.map { CameraHold($0, by: clock) }
        status.waiting = hub.room.taken
        status.latency = warmth.latency
        status.controls = snapshot.controls
        status.tolerance = quirks.tolerance
        status.ring = ring?.status
        status.motion = motion?.status
        return status
    }
}
