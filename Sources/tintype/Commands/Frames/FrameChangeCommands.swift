// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct FramesPinCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(commandName: "pin", abstract: "Exempt frames from retention.")
    static let participle = "pinned"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    var edit: FrameEdit? { FrameEdit(pinned: true) }
}

struct FramesUnpinCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Undo “pin”.")
    static let participle = "unpinned"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    var edit: FrameEdit? { FrameEdit(pinned: false) }
}

struct FramesTagCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(commandName: "tag", abstract: "Add tags to frames, or remove them.")
    static let participle = "tagged"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    @Option(
        name: .customLong("add"),
        help: ArgumentHelp("A tag to add; may be repeated.", valueName: "word"),
        transform: OptionText.tag
    )
    var added: [String] = []

    @Option(
        name: .customLong("remove"),
        help: ArgumentHelp("A tag to remove; may be repeated.", valueName: "word"),
        transform: OptionText.tag
    )
    var removed: [String] = []

    func validate() throws {
        try choice.require()
        try ensure(!added.isEmpty || !removed.isEmpty, "Give at least one tag: --add WORD or --remove WORD.")
        if let both = added.first(where: removed.contains) {
            throw ValidationError("“\(both)” cannot be added and removed at once.")
        }
    }

    var edit: FrameEdit? { FrameEdit(addTags: added, removeTags: removed) }
}

struct FramesRemoveCommand: FrameChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete frames permanently.",
        discussion: """
            Frames that you name by their ids are deleted even if pinned. --where spares pinned frames, unless you \
            add --pinned. Once the command has returned, deleted frames never come back, not even after a power \
            cut.
            """
    )
    static let participle = "deleted"

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    @Flag(help: "With --where: also delete pinned frames.")
    var pinned = false

    @Flag(help: "List the frames that would be deleted, and delete none.")
    var dryRun = false

    var edit: FrameEdit? { nil }

    func validate() throws {
        try choice.require()
        guard !pinned || choice.option.filter != nil else {
            throw ValidationError("--pinned needs --where: frames named by their ids are deleted even if pinned.")
        }
    }

    func chosen() throws -> ChosenFrames {
        guard let filter = choice.option.filter, !pinned else { return try choice.frames() }
        // Must not nest one level deeper than the filter itself.
        let filters = if case .all(let filters) = filter { filters } else { [filter] }
        return .fitting(.all(filters + [.not(.is(.pinned(true)))]))
    }

    func run() async throws {
        guard dryRun else { return try await changeAll() }
        try await FrameLines.print(isJSON: isJSON) { lines in
            let missing = try await client.records(of: try chosen(), .oldest) { frames, _ in
                try StandardStream.output.write(try lines.lines(frames))
            }
            if let problem = Problem(missing: missing) { throw problem }
        }
    }
}

// MARK: - Changing

protocol FrameChangingCommand: DaemonCommand {
    var choice: FrameChoice { get }

    /// Past participle for messages, for example `pinned`.
    static var participle: String { get }

    /// Change of the frames; nil to delete them.
    var edit: FrameEdit? { get }

    func chosen() throws -> ChosenFrames
}

extension FrameChangingCommand {
    func validate() throws { try choice.require() }
    func chosen() throws -> ChosenFrames { try choice.frames() }
    func run() async throws { try await changeAll() }

    func changeAll() async throws {
        var outcome = FrameOutcome()
        do {
            try await changeBatches(adding: &outcome)
        } catch {
            // Changes made so far persist and are reported.
            if outcome.changed > 0 || !outcome.failed.isEmpty { try report(outcome) }
            guard outcome.problem != nil, let problem = Problem(undone: outcome, Self.participle) else { throw error }
            throw problem
        }
        try report(outcome)
        if let problem = Problem(undone: outcome, Self.participle) { throw problem }
    }

    /// Works in batches and shows the progress; a frame that is deleted meanwhile is not missing from a filter.
    private func changeBatches(adding outcome: inout FrameOutcome) async throws {
        // About one second of work for a slow disk.
        let size = 500
        let progress = ProgressBar(isShown: !isJSON)
        defer { progress.clear() }
        let chosen = try chosen()
        if case .named(let ids) = chosen {
            for start in stride(from: 0, to: ids.count, by: size) {
                progress.update(Double(start) / Double(ids.count), "\(start)/\(ids.count)")
                outcome += try await apply(to: Array(ids[start..<min(start + size, ids.count)]))
            }
            return
        }
        _ = try await client.records(of: chosen, .oldest, by: size, isMeasured: true) { frames, share in
            guard let last = frames.last else { return }
            var done = try await apply(to: frames.map(\.id))
            done.missing = []
            outcome += done
            progress.update(share(last), "\(outcome.changed)")
        }
    }

    private func apply(to ids: [FrameID]) async throws -> FrameOutcome {
        guard let edit else { return try await client.delete(.ids(ids)) }
        return try await client.apply(FrameChange(.ids(ids), edit))
    }

    private func report(_ outcome: FrameOutcome) throws {
        try write(outcome) { "\(CountText.text($0.changed, "frame")) \(Self.participle)\n" }
    }
}

extension Problem {
    /// Problem for failed, missing or refused frames; nil if all were changed.
    init?(undone outcome: FrameOutcome, _ participle: String = FramesPinCommand.participle) {
        if let problem = outcome.problem {
            self = problem
            guard let first = outcome.failed.first else { return }
            let count = outcome.failed.count
            detail =
                count == 1
                ? "The frame \(first) was not \(participle): \(problem.detail)"
                : "\(count) frames were not \(participle), the first of them \(first): \(problem.detail)"
        } else if !outcome.missing.isEmpty {
            self.init(missing: outcome.missing)
        } else if let first = outcome.refused.first {
            let count = outcome.refused.count
            let most = "would have more than \(StillRequest.mostTags) tags and"
            let one = "The frame \(first) \(most) stayed as it was."
            let many = "\(count) frames \(most) stayed as they were, the first of them \(first)."
            self.init(.configurationConflict, count == 1 ? one : many, remedy: "Remove some tags (--remove).")
        } else {
            return nil
        }
    }

    /// Nil for no frames.
    init?(missing ids: [FrameID]) {
        guard let first = ids.first else { return nil }
        let many = "\(ids.count) of the frames are not stored, the first of them \(first)."
        let remedy = "“tintype frames list” lists the stored frames."
        self.init(.frameNotFound, ids.count == 1 ? "No frame \(first) is stored." : many, remedy: remedy)
    }
}
