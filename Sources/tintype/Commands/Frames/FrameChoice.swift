// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// The filter of a command, as an option.
struct FilterOption: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "The frames that match this filter, as in “camera:front, since:7d” or “any(tag:alarm, bytes>2M), not pinned”.",
            valueName: "filter"
        ),
        transform: Self.filter
    )
    var filter: FrameFilter?

    private static func filter(_ text: String) throws -> FrameFilter {
        // An argument that a script left empty by mistake must not mean every frame.
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("The filter is empty: write a condition such as tag:alarm, or all() for all frames.")
        }
        do {
            return try FrameFilter(parsing: text)
        } catch {
            throw ValidationError("\(error.detail) \(error.remedy)")
        }
    }
}

/// The frames that a command is about: ids, or all that fit a filter.
struct FrameChoice: ParsableArguments {
    @Argument(help: "The ids of frames; - reads them from stdin, with white space between two.")
    var ids: [String] = []

    @OptionGroup var option: FilterOption

    func validate() throws {
        guard ids.isEmpty || option.filter == nil else {
            throw ValidationError("Give either ids or --where: a filter can have ids in it, as in any(id:…, id:…).")
        }
        for text in ids where text != "-" && FrameID(text) == nil {
            throw ValidationError("“\(text)” is not the id of a frame, as “tintype frames list” prints them.")
        }
        guard ids.count(where: { $0 == "-" }) <= 1 else { throw ValidationError("Give - once: it reads all of stdin.") }
    }

    /// Refuses a command line that names no frame.
    func require() throws {
        guard isEmpty else { return }
        throw ValidationError("Name the frames by their ids, or by --where FILTER.")
    }

    var isEmpty: Bool { ids.isEmpty && option.filter == nil }

    /// The frames that are meant, each id once; reads stdin where that was asked for.
    func frames() throws -> ChosenFrames {
        if let filter = option.filter { return .fitting(filter) }
        var seen: Set<FrameID> = []
        var chosen: [FrameID] = []
        for text in ids {
            let named = text == "-" ? try Self.piped() : FrameID(text).map { [$0] } ?? []
            for id in named where seen.insert(id).inserted { chosen.append(id) }
        }
        return .named(chosen)
    }

    /// The ids on stdin; throws `invalid-request` with the place of what is none.
    private static func piped() throws(Problem) -> [FrameID] {
        var ids: [FrameID] = []
        while let line = readLine() {
            for word in line.split(whereSeparator: \.isWhitespace) {
                guard let id = FrameID(String(word)) else {
                    throw Problem(
                        .invalidRequest,
                        "Word \(ids.count + 1) of stdin, “\(word.prefix(60))”, is not the id of a frame.",
                        remedy: "Hand over ids alone, as “tintype frames list --format {id}” prints them."
                    )
                }
                ids.append(id)
            }
        }
        return ids
    }
}

/// The frames of a command.
enum ChosenFrames: Hashable {
    /// These, in this order.
    case named([FrameID])
    /// All that fit.
    case fitting(FrameFilter)
}
