// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

extension ControlClient {
    /// Hands `body` the records of the frames that are meant: the newest one where nothing was chosen.
    ///
    /// Throws `frame-not-found` for an id that is not there, and where nothing was chosen and there is none at all.
    func records(of choice: FrameChoice, _ body: ([FrameRecord]) async throws -> Void) async throws {
        guard choice.isEmpty else { return try await records(of: try choice.frames(), .newest, body) }
        var isThere = false
        try await FrameWalk(self, .everything, .newest, most: 1).pages { frames, _ in
            isThere = isThere || !frames.isEmpty
            try await body(frames)
        }
        guard isThere else {
            throw Problem(.frameNotFound, "No frame is stored.", remedy: "Take one, as with “tintype still”.")
        }
    }

    /// Hands `body` the records of these frames, those that fit a filter in this order.
    ///
    /// Throws `frame-not-found` for an id that is not there, after the others.
    func records(
        of chosen: ChosenFrames,
        _ order: FrameOrder,
        _ body: ([FrameRecord]) async throws -> Void
    ) async throws {
        switch chosen {
        case .named(let ids):
            var missing = FrameOutcome()
            for id in ids {
                do {
                    try await body([try await frame(id)])
                } catch let problem as Problem where problem.code == .frameNotFound {
                    missing.missing.append(id)
                }
            }
            if let problem = Problem(undone: missing) { throw problem }
        case .fitting(let filter):
            try await FrameWalk(self, filter, order).pages { frames, _ in try await body(frames) }
        }
    }
}
