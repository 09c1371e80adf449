// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

protocol FrameChangingCommand: DaemonCommand {
    var choice: FrameChoice { get }

    /// Past participle for messages, for example `pinned`.
    static var participle: String { get }

    func chosen() throws -> ChosenFrames

    func apply(to selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome
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
        let (client, progress) = (self.client, ProgressBar(isShown: !isJSON))
        defer { progress.clear() }
        switch try chosen() {
        case .named(let ids):
            for start in stride(from: 0, to: ids.count, by: size) {
                progress.update(Double(start) / Double(ids.count), "\(start)/\(ids.count)")
                outcome += try await apply(to: .ids(Array(ids[start..<min(start + size, ids.count)])), by: client)
            }
        case .fitting(let filter):
            let walk = FrameWalk(client: client, filter: filter, order: .oldest)
            let span = try await walk.span()
            try await walk.pages(of: size) { frames, _ in
                guard let last = frames.last else { return }
                var done = try await apply(to: .ids(frames.map(\.id)), by: client)
                done.missing = []
                outcome += done
                progress.update(span?.share(before: last.still.capturedAt), "\(outcome.changed)")
            }
        }
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
        } else if let first = outcome.missing.first {
            let count = outcome.missing.count
            let many = "\(count) of the frames are not stored, the first of them \(first)."
            let remedy = "“tintype frames list” lists the stored frames."
            self.init(.frameNotFound, count == 1 ? "No frame \(first) is stored." : many, remedy: remedy)
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
}

extension ClosedRange<Timestamp> {
    /// Fraction of the range before a moment, clamped to 0...1.
    func share(before moment: Timestamp) -> Double {
        let whole = Double(upperBound.microseconds - lowerBound.microseconds)
        guard whole > 0 else { return 1 }
        return Swift.min(Swift.max(Double(moment.microseconds - lowerBound.microseconds) / whole, 0), 1)
    }
}
