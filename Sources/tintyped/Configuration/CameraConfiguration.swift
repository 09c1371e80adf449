// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool

/// A camera of the configuration file or of a flag; see tintyped.yaml(5) for the keys.
struct CameraConfiguration: Hashable, Sendable {
    /// Name in the API and in the spool; see ``CameraName/isValid(_:)``.
    var name: String
    var source: Camera.Source
    /// Format, input, warmth, controls, ring, `allowGap` and lead.
    var session = SessionConfiguration()
    /// JPEG quality of encoded pictures, 1 to 100.
    var quality = StillRequest.defaultQuality
    var position: GeoPosition?
    var overlay = OverlaySettings()
    var profiles: [ControlProfile] = []
    /// Spool name; nil for `default`.
    var spool: String?
    var publish: [PublishSchedule] = []
    /// Interval of replacing `latest.jpg`; nil if it links to the newest stored still.
    var latest: LatestSettings?
    /// Retention in addition to that of the spool.
    var retention = RetentionSettings()

    /// True if the camera is kept open unless a client stops it.
    var isKeptOpen: Bool {
        session.warmth == .hot || session.motion != nil
            || publish.contains { if case .nth = $0.rate { true } else { false } }
    }

    /// True if it names controls, which only the camera can validate.
    var namesControls: Bool { !session.controls.isEmpty || !profiles.isEmpty }
}

struct OverlaySettings: Hashable, Sendable {
    /// Default overlay text; see ``ImageOptions/isValid(overlay:)``.
    var text: String?
    /// Style of the default text and of requested texts.
    var style = OverlayStyle()
}
