// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

/// A command that changes or deletes stored frames.
protocol FrameChangingCommand: DaemonCommand {
    var choice: FrameChoice { get }

    /// The change in a word, as in `pinned`.
    static var participle: String { get }

    /// The frames that are meant; reads stdin where that was asked for.
    func chosen() throws -> ChosenFrames

    /// Changes some of them.
    func change(_ selection: FrameSelection, by exchange: some ControlExchange) async throws -> FrameOutcome
}

extension FrameChangingCommand {
    func validate() throws { try choice.require() }

    func chosen() throws -> ChosenFrames { try choice.frames() }

    func answer() async throws { try await changeAll() }

    /// Changes all that are meant, and tells how many that were.
    func changeAll() async throws {
        var outcome = FrameOutcome()
        let client = client
        do {
            let batches = FrameBatches(client: client, progress: ProgressBar(isShown: !isJSON))
            try await batches.each(try chosen(), &outcome) { try await change($0, by: client) }
        } catch {
            // Changes made so far stay, and are reported.
            if outcome.changed > 0 || !outcome.failed.isEmpty { try report(outcome) }
            guard outcome.problem != nil, let problem = Problem(undone: outcome, Self.participle) else { throw error }
            throw problem
        }
        try report(outcome)
        if let problem = Problem(undone: outcome, Self.participle) { throw problem }
    }

    private func report(_ outcome: FrameOutcome) throws {
        guard !isJSON else { return try write(json: outcome) }
        try StandardStream.output.write("\(CountText.frames(outcome.changed)) \(Self.participle)\n")
    }
}

/// Numbers of frames as a person reads them.
enum CountText {
    static func frames(_ count: Int) -> String { count == 1 ? "1 frame" : "\(count) frames" }
}

extension Problem {
    /// Some frames could not be dealt with, are not there, or were left as they are; nil where all was done.
    init?(undone outcome: FrameOutcome, _ participle: String = FramesPinCommand.participle) {
        if let problem = outcome.problem {
            self = problem
            if let first = outcome.failed.first {
                let count = outcome.failed.count
                detail =
                    count == 1
                    ? "The frame \(first) was not \(participle): \(problem.detail)"
                    : "\(count) frames were not \(participle), the first of them \(first): \(problem.detail)"
            }
            return
        }
        guard let first = outcome.missing.first else {
            guard let first = outcome.refused.first else { return nil }
            let count = outcome.refused.count
            let most = "would have more than \(StillRequest.mostTags) tags and"
            self.init(
                .configurationConflict,
                count == 1
                    ? "The frame \(first) \(most) stayed as it was."
                    : "\(count) frames \(most) stayed as they were, the first of them \(first).",
                remedy: "Remove some tags (--remove)."
            )
            return
        }
        let count = outcome.missing.count
        self.init(
            .frameNotFound,
            count == 1
                ? "No frame \(first) is stored." : "\(count) of the frames are not stored, the first of them \(first).",
            remedy: "“tintype frames list” lists the stored frames."
        )
    }
}
