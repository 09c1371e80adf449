// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// Which frames are listed and how, as options.
struct FrameListOptions: ParsableArguments {
    @OptionGroup var option: FilterOption

    @Option(help: "The order: newest or oldest first (default: newest).")
    var order = FrameOrder.newest

    @Option(
        help: ArgumentHelp("The largest number of frames (default: 50).", valueName: "number"),
        transform: { try OptionText.integer($0, in: 1...10_000_000) }
    )
    var limit: Int?

    @Flag(help: "List all frames.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Print this for each, with fields such as {id}, {path} or {tags} filled in; \\t, \\n and \\0 as in C.",
            valueName: "template"
        ),
        transform: { text in
            do throws(FrameTemplate.Fault) {
                return try FrameTemplate(text)
            } catch {
                throw ValidationError(error.sentence)
            }
        }
    )
    var format: FrameTemplate?

    func validate() throws {
        guard limit == nil || !all else { throw ValidationError("Give either --limit or --all.") }
    }

    /// All frames where no filter is given.
    var filter: FrameFilter { option.filter ?? .everything }

    /// How many are listed; nil for no limit.
    var most: Int? { all ? nil : limit ?? 50 }
}

extension FrameOrder: ExpressibleByArgument {}
