// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct BurstOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How many pictures, 1 to 1000.", valueName: "number"),
        transform: { try OptionText.integer($0, in: Burst.countRange) }
    )
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "The time from one picture to the next, up to 1h (default: 0s, consecutive frames).",
            valueName: "time"
        ),
        transform: { try OptionText.duration($0, in: Burst.everyMsRange) }
    )
    var every: Duration?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Instead of --count: all frames from this moment on, as in -2s.", valueName: "time"),
        transform: { try OptionText.moment($0, in: Burst.spanMsRange) }
    )
    var from: Duration?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The end of that span, as in 1s (default: now).", valueName: "time"),
        transform: { try OptionText.moment($0, in: Burst.spanMsRange) }
    )
    var to: Duration?

    @Option(
        help: ArgumentHelp("Only every nth frame of that span, 1 to 1000.", valueName: "number"),
        transform: { try OptionText.integer($0, in: Burst.nthRange) }
    )
    var nth: Int?

    func validate() throws {
        if from != nil || to != nil || nth != nil {
            if count != nil || every != nil {
                throw ValidationError("Give either --count and --every, or --from, --to and --nth.")
            }
            if from ?? .zero >= to ?? .zero {
                throw ValidationError("--to must be later than --from; each defaults to now.")
            }
        } else if count == nil {
            throw ValidationError("Give a number of pictures (--count 10 --every 2s) or a span (--from -2s --to 1s).")
        }
    }

    var burst: Burst {
        if let count { return .count(count, every: every ?? .zero) }
        return .span(from: from ?? .zero, to: to ?? .zero, nth: nth ?? 1)
    }
}
