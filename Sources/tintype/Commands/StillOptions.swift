// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// What is wanted of a still, as options.
struct StillOptions: ParsableArguments {
    /// The words of ``Freshness``.
    enum Fresh: String, ExpressibleByArgument, CaseIterable {
        case request, next, latest
    }

    @Option(
        help: """
            How fresh: exposed after the request (request), the next frame to arrive (next) or the newest there is \
            (latest); request where neither this nor --max-age is given.
            """
    )
    var fresh: Fresh?

    @Option(
        help: ArgumentHelp("A frame at most this old, as in 200ms, 2s, 1.5s or 1m.", valueName: "age"),
        transform: { try Self.duration($0, in: Freshness.maxAgeMsRange) }
    )
    var maxAge: Duration?

    @Option(
        help: ArgumentHelp("How long it may take in all, 1ms to 10m (default: 5s).", valueName: "time"),
        transform: { try Self.duration($0, in: StillRequest.deadlineMsRange) }
    )
    var deadline: Duration?

    @Option(
        help: ArgumentHelp(
            "JPEG quality for cameras that deliver raw pictures (default: the camera's own).",
            valueName: "1-100"
        )
    )
    var quality: Int?

    @Option(help: "What a stored picture has survived before the command ends.")
    var durability = Durability.full

    func validate() throws {
        if fresh != nil, maxAge != nil { throw ValidationError("Give one of --fresh and --max-age.") }
        if let quality, !StillRendering.qualityRange.contains(quality) {
            throw ValidationError("--quality is a whole number from 1 to 100.")
        }
    }

    func request(keep: Bool) -> StillRequest {
        var request = StillRequest(rendering: StillRendering(quality: quality), keep: keep, durability: durability)
        if let fresh, let freshness = Freshness(word: fresh.rawValue) { request.fresh = freshness }
        if let maxAge { request.fresh = .maxAge(maxAge) }
        if let deadline { request.deadline = deadline }
        return request
    }

    private static func duration(_ text: String, in range: ClosedRange<Double>) throws -> Duration {
        guard let duration = HumanDuration.parse(text), range.contains(duration.millisecondCount) else {
            let (least, most) = (range.lowerBound, range.upperBound)
            throw ValidationError(
                """
                “\(text)” is not a time from \(HumanDuration.text(.milliseconds(least))) to \
                \(HumanDuration.text(.milliseconds(most))), such as 200ms or 2s.
                """
            )
        }
        return duration
    }
}

extension Durability: ExpressibleByArgument {}
