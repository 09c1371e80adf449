// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
package import TintypeModel

/// What a session publishes, so that no reader has to ask its thread.
package struct SessionSnapshot: Sendable {
    /// What the session is doing.
    package var state = SessionState.off
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
    /// Silence for longer than this is a stall; the age at which a frame is not `latest` any more.
    package var stallLimit = Duration.seconds(2)
    /// When the device was last opened, and how long that took up to the start of its stream.
    package var opening: Opening?
    /// What is known of its controls; nil before it was first opened.
    package var controls: ControlStatus?
    /// What the device last said of its exposure; nil before it was asked, and where it cannot tell.
    package var exposure: ExposureReading?
    /// The last time that its stream was interrupted for a still of the largest size; how often is in ``counters``.
    package var lastGap: StreamGap?
    /// Counters since the daemon started.
    package var counters = CameraCounters()

    /// When the device was last opened.
    package struct Opening: Sendable {
        /// The begin.
        package var began: MonotonicTime
        /// The time to the start of the stream.
        package var took: Duration
    }

    /// A session that has not begun.
    package init() {}
}
