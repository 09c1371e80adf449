// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel
internal import TintypePattern
internal import TintypeSpool

/// One camera of the configuration file or of a flag.
struct CameraConfiguration: Hashable, Sendable {
    /// Its name in the API and in the spool, ``CameraName/isValid(_:)``.
    var name: String
    /// The absolute path of its node or of a link to it, such as /dev/v4l/by-id/…; nil where it is found by `match`.
    var device: String?
    /// The requested format.
    var format = FormatWish()
    /// The requested input.
    var input = InputWish()
    /// How long it stays open without use.
    var warmth = Warmth.linger(Warmth.defaultLinger)
    /// The JPEG quality of pictures that the daemon encodes, 1 to 100.
    var quality = StillRequest.defaultQuality
    /// Where it stands, for the pictures' EXIF data; nil if that is not told.
    var position: GeoPosition?
    /// The text and EXIF data that are written into its pictures.
    var overlay = OverlaySettings()
    /// The values of its controls whenever it is opened.
    var controls = ControlSettings()
    /// Named wishes that can be applied by command.
    var profiles: [ControlProfile] = []
    /// The name of the spool that its pictures are stored in; nil for `default`.
    var spool: String?
    /// The schedules by which its frames are published.
    var publish: [PublishSchedule] = []
    /// How often `latest.jpg` is replaced; nil where it leads to the newest still that is stored.
    var latest: LatestSettings?
    /// How much of the past is kept; nil for nothing.
    var ring: RingConfiguration?
    /// Whether its stream may be interrupted for a still of the largest size.
    var allowsGap = true
    /// How long before the driver's stamps the exposure of its frames begins.
    var lead = StampLead.auto
    /// The rules by which its pictures are deleted automatically, besides those of the spool.
    var retention = RetentionSettings()
    /// The conditions by which it is found; nil if `device` names it.
    var match: CameraMatch?

    /// The test pattern that it shows, in place of a device; no key says it.
    var pattern: PatternSpec?

    /// Where its frames come from.
    var source: Camera.Source {
        if let pattern { return .pattern(pattern) }
        if let match { return .match(match) }
        return .node(path: device ?? "")
    }

    /// How its session is to run.
    var session: SessionConfiguration {
        SessionConfiguration(
            format: format,
            input: input,
            warmth: warmth,
            controls: controls,
            ring: ring,
            allowsGap: allowsGap,
            lead: lead
        )
    }
}

/// The text and EXIF data that are written into a camera's pictures.
struct OverlaySettings: Hashable, Sendable {
    /// The text of pictures for which none is asked, ``StillRendering/isValid(overlay:)``; nil for none.
    var text: String?
    /// How it looks, and those that are asked for.
    var style = OverlayStyle()
}
