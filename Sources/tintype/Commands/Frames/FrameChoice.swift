// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

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
        // An argument left empty by a faulty script must not select every frame.
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

    func require() throws {
        guard isEmpty else { return }
        throw ValidationError("Name the frames by their ids, or by --where FILTER.")
    }

    var isEmpty: Bool { ids.isEmpty && option.filter == nil }

    /// Selected frames without duplicate ids; reads stdin if the command line has `-`.
    func frames() throws -> ChosenFrames {
        if let filter = option.filter { return .fitting(filter) }
        let named = try ids.flatMap { $0 == "-" ? try Self.piped() : [FrameID($0)].compactMap(\.self) }
        var seen: Set<FrameID> = []
        return .named(named.filter { seen.insert($0).inserted })
    }

    /// Reads ids from stdin; throws `invalid-request` with the position of an invalid word.
    private static func piped() throws(Problem) -> [FrameID] {
        var ids: [FrameID] = []
        while let line = readLine() {
            for word in line.split(whereSeparator: \.isWhitespace) {
                guard let id = FrameID(String(word)) else {
                    let detail = "Word \(ids.count + 1) of stdin, “\(word.prefix(60))”, is not the id of a frame."
                    let remedy = "Hand over ids alone, as “tintype frames list --format {id}” prints them."
                    throw Problem(.invalidRequest, detail, remedy: remedy)
                }
                ids.append(id)
            }
        }
        return ids
    }
}

enum ChosenFrames: Hashable {
    case named([FrameID])
    case fitting(FrameFilter)
}
