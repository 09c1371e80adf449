// SPDX-License-Identifier: Apache-2.0

package struct StillRequest: Hashable, WireObject, WireRequest {
    package var fresh: Freshness
    /// 1 ms to 10 min, then `deadline-exceeded`; for each further still of a burst, from the time it is due.
    package var deadline: Duration
    package var burst: Burst?
    package var settle: SettlePolicy
    package var integrity: Integrity
    package var reject: Set<ImageDefect>
    package var rendering: ImageOptions
    package var average: Int
    /// `size: max` on the wire.
    package var isLargest: Bool
    package var opens: Bool
    package var keep: Bool
    package var durability: Durability
    /// Each valid by ``isValid(tag:)``.
    package var tags: [String]
    /// Time from the request until which ``SettlePolicy/auto`` waits at most; nil for the deadline only.
    ///
    /// Set by routes for clients that give up early, not on the wire.
    package var longestSettling: Duration?

    package init() { self.init(fresh: .request) }

    package init(
        fresh: Freshness = .request,
        deadline: Duration = defaultDeadline,
        burst: Burst? = nil,
        settle: SettlePolicy = .auto,
        integrity: Integrity = .strict,
        reject: Set<ImageDefect> = [],
        rendering: ImageOptions = ImageOptions(),
        average: Int = 1,
        isLargest: Bool = false,
        opens: Bool = true,
        keep: Bool = true,
        durability: Durability = .full,
        tags: [String] = []
    ) {
        (self.fresh, self.deadline, self.burst, self.settle) = (fresh, deadline, burst, settle)
        (self.integrity, self.reject, self.rendering, self.average) = (integrity, reject, rendering, average)
        (self.isLargest, self.opens, self.keep, self.durability) = (isLargest, opens, keep, durability)
        self.tags = tags
    }

    /// JPEG quality of a camera without a configured one.
    package static let defaultQuality = 90
    package static let defaultDeadline = Duration.seconds(5)
    package static let deadlineMsRange: ClosedRange<Double> = 1...600_000
    package static let averageRange = 1...64
    package static let mostTags = 16

    package static let tagRemedy = "A tag is 1 to 64 letters, digits, '.', '_' and '-'."

    /// True for at most ``mostTags`` distinct tags that are all valid.
    package static func areValid(tags: [String]) -> Bool {
        tags.count <= mostTags && tags.allSatisfy(isValid(tag:)) && Set(tags).count == tags.count
    }

    /// True for 1 to 64 ASCII letters, digits, '.', '_' and '-'.
    package static func isValid(tag: String) -> Bool { tag.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil }

    package static let summary = "The properties of a still; every field may be left out."
    package static let fields: [Field] = [
        Field("fresh", \.fresh, "How fresh the picture must be.", ["default": "request"]),
        Field(
            "deadlineMs",
            \.deadlineMs,
            "The time limit of the still; in a burst, that of each further still begins when it is due.",
            .range(deadlineMsRange).defaulting(to: .integer(Int(defaultDeadline.millisecondCount)))
        ),
        Field("count", of: Int.schema, "The number of stills.", .range(Burst.countRange)),
        Field(
            "everyMs",
            of: Double.schema,
            "The time between stills, each exposed at or after its moment; 0 for consecutive frames. Needs count.",
            .range(Burst.everyMsRange)
        ),
        Field(
            "fromMs",
            of: Double.schema,
            "Instead of fresh and count: the start of a span, from the request on; negative for the ring's frames.",
            .range(Burst.spanMsRange)
        ),
        Field("toMs", of: Double.schema, "The end of that span.", .range(Burst.spanMsRange)),
        Field("nth", of: Int.schema, "Takes every nth frame of that span.", .range(Burst.nthRange)),
        Field(
            "settle",
            \.settle,
            """
            Whether the still waits until exposure and white balance have settled after a start of the stream. auto: \
            it waits for as long as settling may take on this camera (3 s; between 1 s and 3 s once three starts are \
            known; longer only if its frames are slow), and leaves time for one frame before the deadline; if they \
            have not settled then, the still is taken, and its record says so. always: it waits until the deadline, \
            and fails if they have not settled then. never: it does not wait.
            """,
            ["default": "auto"]
        ),
        Field("integrity", \.integrity, "How intact the picture must be.", ["default": "strict"]),
        Field(
            "width",
            \.rendering.width,
            "The greatest width after the rotation; a picture is never enlarged and keeps its proportions.",
            .range(ImageOptions.sideRange)
        ),
        Field("height", \.rendering.height, "The greatest height of the picture.", .range(ImageOptions.sideRange)),
        Field(
            "crop",
            \.rendering.crop,
            "The part before flip and rotation: size, left, top; invalid-request if it is not inside the picture.",
            ["pattern": "^[0-9]+x[0-9]+\\+[0-9]+\\+[0-9]+$", "examples": ["640x480+100+50"]]
        ),
        Field(
            "rotate",
            \.rendering.turn,
            "The clockwise rotation in degrees. A rotation by 90 or 270 turns JPEG at 4:2:2 into 4:4:0.",
            ["default": 0]
        ),
        Field("flip", \.rendering.flip, "The direction in which the picture is mirrored, before the rotation."),
        Field(
            "lossless",
            \.rendering.isLossless,
            """
            Whether crop, flip and rotate must keep the compressed data of a camera's JPEG picture (true), or must \
            compress it again (false). If it is missing, the data is kept where the result is exact; elsewhere the \
            picture is compressed again. With true, a crop whose edges do not lie between blocks is \
            configuration-unsupported, and the remedy names the nearest possible crop; a mirrored edge that ends in \
            an incomplete block, as in the last 8 of 1080 rows at 4:2:0, is configuration-unsupported, too. Cannot \
            be combined with quality, width, height, overlay or average. Has no effect on a camera that delivers raw \
            frames.
            """
        ),
        Field(
            "quality",
            \.rendering.quality,
            "JPEG quality, for which a camera's JPEG is compressed again; missing for its own, or the configured one.",
            .range(ImageOptions.qualityRange)
        ),
        Field(
            "overlay",
            \.rendering.overlay,
            "A text that is written into the picture, with the fields of strftime(3).",
            .length(ImageOptions.overlayRange)
        ),
        Field(
            "reject",
            \.rejected,
            """
            The appearances that are refused: black, one brightness and one colour (uniform), or equal to the frame \
            before (frozen). Such a frame is skipped for the next one; if no other frame comes within the deadline, \
            the error is no-signal with the appearance as its cause. Cannot be combined with average, integrity raw, \
            or frames of the ring.
            """,
            ["uniqueItems": true, "maxItems": 3],
            isRequired: false
        ),
        Field(
            "average",
            \.average,
            "The number of consecutive frames to average; not for a span, and not from the ring.",
            .range(averageRange).defaulting(to: 1)
        ),
        Field(
            "size",
            \.size,
            """
            Interrupts the stream for a picture of the largest size that the camera has, unless the camera is off or \
            streams that size already. The error is gap-not-allowed if the configuration forbids it, and while a \
            burst is taken. Not in a burst. The ring has no frames of that time.
            """
        ),
        Field(
            "open",
            \.opens,
            "Whether it opens the camera; with false, the error is camera-off if the camera is off. Not in a burst.",
            ["default": true]
        ),
        Field("keep", \.keep, "Whether the still is stored.", ["default": true]),
        Field(
            "durability",
            \.durability,
            "What the stored file survives at the reply: none, a crash of the daemon (data), a power cut (full).",
            ["default": "full"]
        ),
        Field("tags", \.tags, "The tags by which the stored picture can be found.", .tags, isRequired: false),
    ]
}
