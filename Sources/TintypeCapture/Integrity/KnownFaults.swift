// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeImaging
package import TintypeModel
package import TintypeSystem

/// Learns the faults that all pictures of a camera have.
///
/// It learns only from frames that clients want, since no others are inspected. A quirk is learned once at least 95 %
/// of the frames have it, at least 30 of them over at least 2 seconds. It is forgotten after 30 consecutive faultless
/// frames. Only faults that leave every block of a picture readable can be quirks. A ``ToleranceBook`` keeps them for
/// the next session or daemon. Any thread; never blocks.
package final class KnownFaults: Sendable {
    package static let leastFrames = 30
    /// Minimum time over which a quirk must be seen.
    package static let leastTime = Duration.seconds(2)
    /// Minimum percentage of frames with a quirk.
    fileprivate static let leastPercent = 95

    fileprivate struct Run {
        let began: MonotonicTime
        var frames = 0
        var hits = 0
    }

    fileprivate struct State {
        var camera: ToleranceBook.Camera?
        var last: [JPEGInspection.Depth: FrameKey] = [:]
        var runs: [PictureQuirk: Run] = [:]
        var learned: [PictureQuirk: PictureTolerance] = [:]
        /// Number of consecutive frames with neither the learned quirk nor any other fault.
        var misses: [PictureQuirk: Int] = [:]
    }

    private let state = Mutex(State())
    private let clock: any MonotonicClock
    private let book: ToleranceBook

    /// The frames' times are of `clock`; `book` has what was learned before.
    package init(clock: any MonotonicClock, book: ToleranceBook = ToleranceBook()) {
        (self.clock, self.book) = (clock, book)
    }

    /// The learned quirks, sorted by name; nil if none.
    package var tolerance: [PictureTolerance]? {
        let learned = state.withLock(\.sorted)
        return learned.isEmpty ? nil : learned
    }

    package func covers(_ quirk: PictureQuirk) -> Bool { state.withLock { $0.learned[quirk] != nil } }

    func covers(_ quirks: Set<PictureQuirk>) -> Bool { state.withLock { quirks.isSubset(of: $0.learned.keys) } }

    package func reset() {
        state.withLock { state in
            state = State(camera: state.camera)
            keep(state)
        }
    }

    /// Takes the quirks of a device from the book if it differs from the previous one.
    package func begin(with identity: CameraIdentity) {
        let camera = ToleranceBook.Camera(identity)
        state.withLock { state in
            guard state.camera != camera else { return }
            state = State(camera: camera)
            for known in book.tolerance(of: camera) { state.learned[known.quirk] = known }
        }
    }

    private func keep(_ state: State) {
        if let camera = state.camera { book.set(state.sorted, of: camera) }
    }

    /// Records the inspection of a frame; repeated inspections at the same depth count once.
    package func record(_ inspection: JPEGInspection, of key: FrameKey, at time: MonotonicTime) {
        record(inspection.quirks, isFaultless: inspection.faults.isEmpty, inspection.depth, of: key, at: time)
    }

    func record(
        _ quirks: Set<PictureQuirk>,
        isFaultless: Bool,
        _ depth: JPEGInspection.Depth,
        of key: FrameKey,
        at time: MonotonicTime
    ) {
        state.withLock { state in
            if let last = state.last[depth], key <= last { return }
            state.last[depth] = key
            let before = Set(state.learned.keys)
            // Only entropy decoding sees faults in the data.
            for kind in PictureQuirk.allCases
            where depth == .entropy || kind == .missingEnd || kind == .largerSize {
                state.record(kind, isHit: quirks.contains(kind), isFaultless: isFaultless, at: time, by: clock)
            }
            if Set(state.learned.keys) != before { keep(state) }
        }
    }
}

extension KnownFaults.State {
    /// The learned quirks, sorted by name.
    fileprivate var sorted: [PictureTolerance] { learned.values.sorted { $0.quirk.rawValue < $1.quirk.rawValue } }

    fileprivate mutating func record(
        _ kind: PictureQuirk,
        isHit: Bool,
        isFaultless: Bool,
        at time: MonotonicTime,
        by clock: any MonotonicClock
    ) {
        if var known = learned[kind] {
            misses[kind] = isHit || !isFaultless ? 0 : misses[kind, default: 0] + 1
            known.frames += isHit ? 1 : 0
            learned[kind] = misses[kind, default: 0] < KnownFaults.leastFrames ? known : nil
            return
        }
        guard var run = runs[kind] ?? (isHit ? KnownFaults.Run(began: time) : nil) else { return }
        run.frames += 1
        run.hits += isHit ? 1 : 0
        // Percentage of all frames since the first one with the quirk.
        guard run.hits * 100 >= run.frames * KnownFaults.leastPercent else {
            runs[kind] = nil
            return
        }
        runs[kind] = run
        guard run.hits >= KnownFaults.leastFrames, time - run.began >= KnownFaults.leastTime else { return }
        runs[kind] = nil
        misses[kind] = 0
        learned[kind] = PictureTolerance(quirk: kind, since: clock.wall(at: time), frames: run.hits)
    }
}
