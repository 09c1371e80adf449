// SPDX-License-Identifier: Apache-2.0

/// What is wanted of a still, or of several.
package struct StillRequest: Hashable, Sendable {
    /// How fresh it has to be.
    package var fresh: Freshness
    /// How long it may take in all, 1 ms to 10 min, and each further one of several from the moment when it is due;
    /// then `deadline-exceeded`.
    package var deadline: Duration
    /// Which frames, where several are wanted; nil for one.
    package var burst: Burst?
    /// Whether it waits for exposure and white balance.
    package var settle: SettlePolicy
    /// How whole it has to be.
    package var integrity: Integrity
    /// What it must not look like: a frame that does is passed over for the next one.
    package var reject: Set<Appearance>
    /// What is made of the frame.
    package var rendering: StillRendering
    /// How many frames in a row are averaged for one picture, 1 for none but itself.
    package var average: Int
    /// Whether the stream is interrupted for a picture of the largest size that the camera has (`size: max`).
    package var isLargest: Bool
    /// Whether it is stored in the spool.
    package var keep: Bool
    /// How durable the stored file is before the reply.
    package var durability: Durability
    /// What the stored picture can be found by, each ``isValid(tag:)``.
    package var tags: [String]

    /// A request; what is left out has the default of DESIGN, section 5.
    package init(
        fresh: Freshness = .request,
        deadline: Duration = defaultDeadline,
        burst: Burst? = nil,
        settle: SettlePolicy = .auto,
        integrity: Integrity = .strict,
        reject: Set<Appearance> = [],
        rendering: StillRendering = StillRendering(),
        average: Int = 1,
        isLargest: Bool = false,
        keep: Bool = true,
        durability: Durability = .full,
        tags: [String] = []
    ) {
        self.fresh = fresh
        self.deadline = deadline
        self.burst = burst
        self.settle = settle
        self.integrity = integrity
        self.reject = reject
        self.rendering = rendering
        self.average = average
        self.isLargest = isLargest
        self.keep = keep
        self.durability = durability
        self.tags = tags
    }

    /// The JPEG quality of a camera where its configuration says nothing.
    package static let defaultQuality = 90
    /// The deadline of a request that names none.
    package static let defaultDeadline = Duration.seconds(5)
    /// The deadlines that can be asked for, in milliseconds.
    package static let deadlineMsRange: ClosedRange<Double> = 1...600_000
    /// The numbers of frames that can be averaged.
    package static let averageRange = 1...64
    /// The most tags that a still can have.
    package static let mostTags = 16

    /// What to give for a tag.
    package static let tagRemedy = "A tag is 1 to 64 letters, digits, '.', '_' and '-'."

    /// Whether a still can have these tags: at most ``mostTags``, each once and ``isValid(tag:)``.
    package static func areValid(tags: [String]) -> Bool {
        tags.count <= mostTags && tags.allSatisfy(isValid(tag:)) && Set(tags).count == tags.count
    }

    /// Whether a word can be a tag: 1 to 64 letters, digits, '.', '_' and '-' of ASCII.
    package static func isValid(tag: String) -> Bool {
        tag.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil
    }
}
