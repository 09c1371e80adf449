// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

/// Goes through the frames that are meant, some hundreds at a time, and shows how far it is.
struct FrameBatches {
    /// As many as are changed or deleted by one request: a second's work of a slow disk.
    static let size = 500

    let client: ControlClient
    let progress: ProgressBar

    /// Hands `body` the ids of each batch and adds what it did to `outcome`.
    ///
    /// Of frames that fit a filter those are not missing that another program deleted in that moment.
    func each(
        _ chosen: ChosenFrames,
        _ outcome: inout FrameOutcome,
        _ body: (FrameSelection) async throws -> FrameOutcome
    ) async throws {
        defer { progress.clear() }
        switch chosen {
        case .named(let ids):
            for start in stride(from: 0, to: ids.count, by: Self.size) {
                progress.show(Double(start) / Double(ids.count), "\(start)/\(ids.count)")
                outcome += try await body(.ids(Array(ids[start..<min(start + Self.size, ids.count)])))
            }
        case .fitting(let filter):
            let walk = FrameWalk(client, filter, .oldest)
            let span = try await walk.span()
            try await walk.pages(of: Self.size) { frames, _ in
                guard let last = frames.last else { return }
                var done = try await body(.ids(frames.map(\.id)))
                done.missing = []
                outcome += done
                progress.show(span?.share(before: last.still.capturedAt), "\(outcome.changed)")
            }
        }
    }
}

extension ClosedRange<Timestamp> {
    /// Which part of the range lies before a moment, from 0 to 1.
    func share(before moment: Timestamp) -> Double {
        let whole = Double(upperBound.microseconds - lowerBound.microseconds)
        guard whole > 0 else { return 1 }
        return Swift.min(Swift.max(Double(moment.microseconds - lowerBound.microseconds) / whole, 0), 1)
    }
}
