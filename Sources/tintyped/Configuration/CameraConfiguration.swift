// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool

/// One camera of the configuration file or of a flag; tintyped.yaml(5) says more of each key.
struct CameraConfiguration: Hashable, Sendable {
    /// Its name in the API and in the spool, ``CameraName/isValid(_:)``.
    var name: String
    var source: Camera.Source
    /// How it runs: format, input, warmth, controls, ring, `allowGap` and lead.
    var session = SessionConfiguration()
    /// The JPEG quality of pictures that the daemon encodes, 1 to 100.
    var quality = StillRequest.defaultQuality
    /// Where it stands, for the pictures' EXIF data; nil if that is not told.
    var position: GeoPosition?
    var overlay = OverlaySettings()
    var profiles: [ControlProfile] = []
    /// The name of its spool; nil for `default`.
    var spool: String?
    var publish: [PublishSchedule] = []
    /// How often `latest.jpg` is replaced; nil where it leads to the newest still that is stored.
    var latest: LatestSettings?
    /// The rules by which its pictures are deleted automatically, besides those of the spool.
    var retention = RetentionSettings()

    /// Whether the camera is kept open, as far as no client stops it.
    var isKeptOpen: Bool {
        session.warmth == .hot || session.motion != nil
            || publish.contains { if case .nth = $0.rate { true } else { false } }
    }

    /// Whether it names controls, which only the camera itself can judge.
    var namesControls: Bool { !session.controls.isEmpty || !profiles.isEmpty }
}

struct OverlaySettings: Hashable, Sendable {
    /// The text of pictures for which none is asked, ``StillRendering/isValid(overlay:)``; nil for none.
    var text: String?
    /// How it looks, and those that are asked for.
    var style = OverlayStyle()
}
