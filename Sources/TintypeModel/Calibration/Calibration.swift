// SPDX-License-Identifier: Apache-2.0

/// How long before the driver's stamps the exposure of a camera's frames begins, as flashes of light showed it: the reply
/// to `POST /v1/cameras/{camera}/calibration`, and what is kept of it.
package struct Calibration: Hashable, Codable, WireObject {
    package var camera: String
    package var card: String
    package var format: CaptureFormat
    package var timestampSource: TimestampSource
    package var leadMs: Milliseconds
    package var spreadMs: Milliseconds
    package var flashes: Int
    package var seen: Int
    package var exposureMs: Milliseconds
    package var readoutMs: Milliseconds
    package var measuredAt: Timestamp
    package var saved: Bool

    /// A calibration of these parts, not saved.
    package init(
        camera: String,
        card: String,
        format: CaptureFormat,
        timestampSource: TimestampSource,
        lead: Duration,
        spread: Duration,
        flashes: Int,
        seen: Int,
        exposure: Duration,
        readout: Duration,
        measuredAt: Timestamp
    ) {
        self.camera = camera
        self.card = card
        self.format = format
        self.timestampSource = timestampSource
        leadMs = Milliseconds(lead)
        spreadMs = Milliseconds(spread)
        self.flashes = flashes
        self.seen = seen
        exposureMs = Milliseconds(exposure)
        readoutMs = Milliseconds(readout)
        self.measuredAt = measuredAt
        saved = false
    }

    /// Whether it holds for frames of this format of this device: another model, size or rate has another lead.
    package func holds(for format: CaptureFormat, of device: CameraIdentity) -> Bool {
        self.format == format && card == device.card
    }

    /// Whether it can have been measured; a file may say anything.
    package var isPossible: Bool {
        (.zero...StampLead.longest).contains(leadMs.duration) && spreadMs.duration >= .zero
    }

    package static let summary = "The lead of a camera, as flashes of light showed it."
    package static let fields: [Field] = [
        Field("camera", \.camera, "The camera's name."),
        Field("card", \.card, "The name of the device. The lead holds for this one only."),
        Field("format", \.format, "The format of the frames. The lead holds for this one only."),
        Field("timestampSource", \.timestampSource, "The source of their time. The lead holds for this one only."),
        Field(
            "leadMs",
            \.leadMs,
            """
            How long before the driver's stamp the exposure of the first row begins: the median of the flashes. It \
            contains the delay from the moments that were told to the light, which is that of the screen, for example.
            """,
            .notNegative
        ),
        Field("spreadMs", \.spreadMs, "Nine of ten flashes agree with leadMs within this.", .notNegative),
        Field("flashes", \.flashes, "The flashes that were told.", .positive),
        Field("seen", \.seen, "The flashes that were seen and used.", .positive),
        Field("exposureMs", \.exposureMs, "How long each row was exposed; 0 if too short to be seen.", .notNegative),
        Field(
            "readoutMs",
            \.readoutMs,
            "How much later the exposure of the last row begins than that of the first (rolling shutter).",
            .notNegative
        ),
        Field("measuredAt", \.measuredAt, "When it was measured."),
        Field("saved", \.saved, "Whether the camera uses it from now on."),
    ]
}
