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
    package var isLargest: Bool
    package var opens: Bool
    package var keep: Bool
    package var durability: Durability
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

    package static let defaultQuality = 90
    package static let defaultDeadline = Duration.seconds(5)
    package static let deadlineMsRange: ClosedRange<Double> = 1...600_000
    static let deadlineRules = OrderedJSON.range(deadlineMsRange).defaulting(to: 5000)
    private static let cropRules: OrderedJSON = [
        "pattern": "^[0-9]+x[0-9]+\\+[0-9]+\\+[0-9]+$", "examples": ["640x480+100+50"],
    ]
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
        Field("deadlineMs", \.deadlineMs, "The time limit; in a burst, of each still once it is due.", deadlineRules),
        Field("count", of: Int.schema, "The number of stills.", .range(Burst.countRange)),
        Field("everyMs", of: Double.schema, "The time between stills; 0 for each frame.", .range(Burst.everyMsRange)),
        Field("fromMs", of: Double.schema, "Start of a span; negative for the ring.", .range(Burst.spanMsRange)),
        Field("toMs", of: Double.schema, "The end of that span.", .range(Burst.spanMsRange)),
        Field("nth", of: Int.schema, "Takes every nth frame of that span.", .range(Burst.nthRange)),
        Field(
            "settle",
            \.settle,
            """
            Whether it waits until exposure and white balance have settled after a start of the stream. auto: as long as \
            that may take on this camera, leaving time for a frame before the deadline; then it is taken unsettled. \
            always: until the deadline, and fails if they have not settled then. never: not at all.
            """,
            ["default": "auto"]
        ),
        Field("integrity", \.integrity, "How intact the picture must be.", ["default": "strict"]),
        Field("width", \.rendering.width, "The greatest width; never enlarged.", .range(ImageOptions.sideRange)),
        Field("height", \.rendering.height, "The greatest height of the picture.", .range(ImageOptions.sideRange)),
        Field("crop", \.rendering.crop, "The part before flip and rotation: size, left, top.", cropRules),
        Field("rotate", \.rendering.turn, "The clockwise rotation in degrees, after the flip.", ["default": 0]),
        Field("flip", \.rendering.flip, "The direction in which the picture is mirrored, before the rotation."),
        Field(
            "lossless",
            \.rendering.isLossless,
            """
            Whether crop, flip and rotate keep the compressed data of a camera's JPEG (true) or compress it again (false); \
            if missing, the data is kept where the result is exact. With true, edges inside a block are \
            configuration-unsupported, and quality, width, height, overlay and average are excluded.
            """
        ),
        Field("quality", \.rendering.quality, "JPEG quality; recompresses JPEG.", .range(ImageOptions.qualityRange)),
        Field("overlay", \.rendering.overlay, "Text, with fields of strftime(3).", .length(ImageOptions.overlayRange)),
        Field(
            "reject",
            \.rejected,
            """
            The appearances to skip: black, of one tone (uniform), or equal to the frame before (frozen); if no other \
            frame comes, the error is no-signal. Not with average, integrity raw, or frames of the ring.
            """,
            ["uniqueItems": true, "maxItems": 3],
            isRequired: false
        ),
        Field("average", \.average, "The number of frames to average.", .range(averageRange).defaulting(to: 1)),
        Field(
            "size",
            \.size,
            """
            Interrupts the stream for a picture of the largest size, unless it is streamed already; gap-not-allowed if the \
            configuration forbids it, and while a burst is taken. Not in a burst.
            """
        ),
        Field("open", \.opens, "Whether it opens the camera; if false and it is off: camera-off.", ["default": true]),
        Field("keep", \.keep, "Whether the still is stored.", ["default": true]),
        Field(
            "durability",
            \.durability,
            "What it survives: none, a crash (data), a power cut (full).",
            ["default": "full"]
        ),
        Field("tags", \.tags, "The tags by which the stored picture can be found.", .tags, isRequired: false),
    ]
}
