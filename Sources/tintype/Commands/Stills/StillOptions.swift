// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct StillOptions: ParsableArguments {
    enum Fresh: String, ExpressibleByArgument, CaseIterable {
        case request, next, latest
    }

    enum Size: String, ExpressibleByArgument, CaseIterable {
        case max
    }

    @Option(
        help: """
            How fresh: exposed after the request (request, the default), the next frame to arrive (next) or the newest \
            one (latest).
            """
    )
    var fresh: Fresh?

    @Option(
        help: ArgumentHelp("A frame at most this old, as in 200ms, 2s, 1.5s or 1m.", valueName: "age"),
        transform: { try OptionText.duration($0, in: Freshness.maxAgeMsRange) }
    )
    var maxAge: Duration?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A frame of the past, from the ring, as in -1.5s.", valueName: "time"),
        transform: { try OptionText.moment($0, in: Freshness.atMsRange) }
    )
    var at: Duration?

    @Option(
        help: ArgumentHelp("How long the still may take in all, 1ms to 10m (default: 5s).", valueName: "time"),
        transform: { try OptionText.duration($0, in: StillRequest.deadlineMsRange) }
    )
    var deadline: Duration?

    @Option(
        help: """
            Whether to wait for exposure and white balance after the camera starts: at most 3 s (auto), until the \
            deadline, else fail (always), or not at all (never).
            """
    )
    var settle = SettlePolicy.auto

    @Option(help: "Which faults to accept: none (strict), the usual ones of this camera (tolerant) or any (raw).")
    var integrity = Integrity.strict

    @Option(
        help: ArgumentHelp(
            "Skip pictures that are one of these, with a comma between two: \(ImageDefect.words).",
            valueName: "looks"
        ),
        transform: Self.defects
    )
    var reject: Set<ImageDefect> = []

    @OptionGroup var rendering: RenderingOptions

    @Option(
        help: ArgumentHelp("Average this many frames in a row, against noise (default: 1).", valueName: "1-64"),
        transform: { try OptionText.integer($0, in: StillRequest.averageRange) }
    )
    var average: Int?

    @Option(help: "Interrupt the stream for a picture of the largest size that the camera has.")
    var size: Size?

    @Option(help: "The durability of a stored picture when the command returns.")
    var durability = Durability.full

    @OptionGroup var tags: TagOptions

    @Sendable private static func defects(_ text: String) throws -> Set<ImageDefect> {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let remedy = "Give one or several of \(ImageDefect.words)."
        return try Set(
            words.map {
                try OptionText.value(String($0), remedy, nearest: ImageDefect.nearest, ImageDefect.init(rawValue:))
            }
        )
    }

    func validate() throws {
        if [fresh != nil, maxAge != nil, at != nil].count(where: \.self) > 1 {
            throw ValidationError("Give one of --fresh, --max-age and --at.")
        }
    }

    func request(keep: Bool) -> StillRequest {
        var request = StillRequest(
            settle: settle,
            integrity: integrity,
            reject: reject,
            rendering: rendering.rendering,
            average: average ?? 1,
            isLargest: size == .max,
            keep: keep,
            durability: durability,
            tags: tags.words
        )
        if let fresh, let freshness = Freshness(word: fresh.rawValue) { request.fresh = freshness }
        if let maxAge { request.fresh = .maxAge(maxAge) }
        if let at { request.fresh = .at(at) }
        if let deadline { request.deadline = deadline }
        return request
    }
}

struct TagOptions: ParsableArguments {
    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("A tag for the stored picture; may be repeated.", valueName: "word"),
        transform: OptionText.tag
    )
    var words: [String] = []

    func validate() throws {
        guard StillRequest.areValid(tags: words) else {
            throw ValidationError("--tag may be given \(StillRequest.mostTags) times, with a different word each time.")
        }
    }
}

extension Durability: ExpressibleByArgument {}
extension Integrity: ExpressibleByArgument {}
extension SettlePolicy: ExpressibleByArgument {}
