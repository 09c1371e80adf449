// SPDX-License-Identifier: Apache-2.0

/// What a camera did while it was watched for a few frames: the reply to `POST /v1/cameras/{camera}/examine`.
///
/// It is evidence, not a verdict: a camera that cannot be opened is examined too, and `problem` says why.
package struct Examination: Equatable, Codable, WireObject {
    package var camera: String
    package var identity: CameraIdentity?
    /// Whether the daemon may use it.
    package var authorization: CameraAuthorization
    package var format: CaptureFormat?
    /// Whether the camera's privacy shutter is closed (`V4L2_CID_PRIVACY`); nil where it has none that can be read.
    package var shutterClosed: Bool?
    package var tookMs = Milliseconds(.zero)
    package var phasesMs = ExaminationPhases()
    package var frames = FrameTally()
    package var pictures = PictureTally()
    package var problem: Problem?

    package static let summary = "The report of an examination."
    package static let fields: [Field] = [
        Field("camera", \.camera, "Its name."),
        Field("identity", \.identity, "The device behind it; missing while none is found."),
        Field("authorization", \.authorization),
        Field("format", \.format, "The format that the driver granted; missing if the examination ended before that."),
        Field(
            "shutterClosed",
            \.shutterClosed,
            "Whether its privacy shutter is closed (V4L2_CID_PRIVACY); missing if it has none that can be read."
        ),
        Field("tookMs", \.tookMs, "The duration of the examination."),
        Field("phasesMs", \.phasesMs, "The duration of each part."),
        Field("frames", \.frames, "The frames that the driver delivered."),
        Field(
            "pictures",
            \.pictures,
            "The contents of the pictures; each is decoded for this. Luma: 0 is black, 255 is white."
        ),
        Field(
            "problem",
            \.problem,
            """
            The problem that ended the examination early or kept frames from arriving; missing if there was none.
            """
        ),
    ]
}

extension Examination {
    /// An examination that has not begun.
    package init(camera: String, identity: CameraIdentity?, authorization: CameraAuthorization) {
        self.camera = camera
        self.identity = identity
        self.authorization = authorization
    }

    /// Whether the stream was started and no frame has come.
    package var gaveNoFrame: Bool { phasesMs.open != nil && frames.captured == 0 }
}

/// How long each part of an examination took.
package struct ExaminationPhases: Equatable, Codable, WireObject {
    package var open: Milliseconds?
    package var firstFrame: Milliseconds?

    /// Phases of these durations.
    package init(open: Duration? = nil, firstFrame: Duration? = nil) {
        self.open = open.map(Milliseconds.init)
        self.firstFrame = firstFrame.map(Milliseconds.init)
    }

    package static var schemaName: String? { nil }
    package static let summary = "The duration of each part."
    package static let fields: [Field] = [
        Field(
            "open",
            \.open,
            """
            Opening and configuring the device, to the start of its stream; 0 if it was open, missing if it was not \
            reached.
            """
        ),
        Field(
            "firstFrame",
            \.firstFrame,
            "From the start of the examination to its first good frame; missing if none came."
        ),
    ]
}

/// What came out of the driver during an examination.
package struct FrameTally: Equatable, Codable, WireObject {
    package var captured: UInt64 = 0
    package var flagged: UInt64 = 0
    package var short: UInt64 = 0
    package var sequenceGaps: UInt64 = 0
    package var interrupted: UInt64 = 0
    package var rate: Double?

    /// None.
    package init() {}

    package static var schemaName: String? { nil }
    package static let summary = "The frames that the driver delivered."
    package static let fields: [Field] = [
        Field("captured", \.captured, "Buffers taken, good or not."),
        Field("flagged", \.flagged, "Of these, the number that the driver flagged as damaged."),
        Field("short", \.short, "Of these, the number with fewer bytes than the format needs."),
        Field("sequenceGaps", \.sequenceGaps, "Frames that the driver skipped, by its frame numbers."),
        Field("interrupted", \.interrupted, "The number of times that the stream was interrupted."),
        Field("rate", \.rate, "Frames a second that arrived; missing with fewer than two good ones.", .notNegative),
    ]
}

/// What the pictures of an examination show, from a decode of each.
///
/// Luma is that of the JPEG picture: 0 is black, 255 is white, for every range of the camera's own numbers.
package struct PictureTally: Equatable, Codable, WireObject {
    package var examined = 0
    package var corrupt = 0
    package var changed = 0
    package var meanLuma: Double?
    package var darkest: Int?
    package var brightest: Int?

    /// None.
    package init() {}

    package static var schemaName: String? { nil }
    package static let summary = """
        The contents of the pictures; each is decoded for this. Luma: 0 is black, 255 is white.
        """
    package static let fields: [Field] = [
        Field("examined", \.examined, "Pictures decoded.", .notNegative),
        Field("corrupt", \.corrupt, "Pictures that could not be decoded, or only with errors.", .notNegative),
        Field(
            "changed",
            \.changed,
            "Of the decoded pictures, the number that differ from the one before in at least one pixel.",
            .notNegative
        ),
        Field("meanLuma", \.meanLuma, "The mean luma; missing if none was decoded.", ["minimum": 0, "maximum": 255]),
        Field(
            "darkest",
            \.darkest,
            "One pixel in a hundred is darker than this luma; missing if none was decoded.",
            ["minimum": 0, "maximum": 255]
        ),
        Field(
            "brightest",
            \.brightest,
            "One pixel in a hundred is brighter than this luma; missing if none was decoded.",
            ["minimum": 0, "maximum": 255]
        ),
    ]
}
