// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeImaging
package import TintypeModel
package import TintypeSystem

/// Learns the faults that all pictures of a camera have.
///
/// It learns only from frames that clients want, since no others are inspected. A quirk is learned once at least 95 %
/// of the frames have it, at least 20 of them over at least 2 seconds. It is forgotten after 20 consecutive faultless
/// frames. Only faults that leave every block of a picture readable can be quirks. Any thread; never blocks.
package final class QuirkMemory: Sendable {
    package static let leastFrames = 20
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
        var identity: CameraIdentity?
        var last: [JPEGInspection.Depth: FrameKey] = [:]
        var runs: [PictureQuirk: Run] = [:]
        var learned: [PictureQuirk: PictureTolerance] = [:]
        /// Number of consecutive frames with neither the learned quirk nor any other fault.
        var misses: [PictureQuirk: Int] = [:]
    }

    private let state = Mutex(State())
    private let clock: any MonotonicClock

    /// The frames' times are of `clock`.
    package init(clock: any MonotonicClock) { self.clock = clock }

    /// The learned quirks, sorted by name; nil if none.
    package var tolerance: [PictureTolerance]? {
        let learned = state.withLock { $0.learned.values.sorted { $0.quirk.rawValue < $1.quirk.rawValue } }
        return learned.isEmpty ? nil : learned
    }

    package func covers(_ quirk: PictureQuirk) -> Bool { state.withLock { $0.learned[quirk] != nil } }

    package func reset() { state.withLock { state in state = State(identity: state.identity) } }

    /// Forgets all quirks if the device differs from the previous one.
    package func begin(with identity: CameraIdentity) {
        state.withLock { state in
            if let before = state.identity, before != identity { state = State() }
            state.identity = identity
        }
    }

    /// Records the inspection of a frame; repeated inspections at the same depth count once.
    package func record(_ inspection: JPEGInspection, of key: FrameKey, at time: MonotonicTime) {
        record(inspection.quirk, isFaultless: inspection.faults.isEmpty, inspection.depth, of: key, at: time)
    }

    func record(
        _ quirk: PictureQuirk?,
        isFaultless: Bool,
        _ depth: JPEGInspection.Depth,
        of key: FrameKey,
        at time: MonotonicTime
    ) {
        state.withLock { state in
            if let last = state.last[depth], key <= last { return }
            state.last[depth] = key
            // Only entropy decoding sees faults in the data; every depth sees a missing end.
            for kind in PictureQuirk.allCases where depth == .entropy || kind == .missingEnd {
                state.record(kind, isHit: kind == quirk, isFaultless: isFaultless, at: time, by: clock)
            }
        }
    }
}

extension QuirkMemory.State {
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
            learned[kind] = misses[kind, default: 0] < QuirkMemory.leastFrames ? known : nil
            return
        }
        guard var run = runs[kind] ?? (isHit ? QuirkMemory.Run(began: time) : nil) else { return }
        run.frames += 1
        run.hits += isHit ? 1 : 0
        // Percentage of all frames since the first one with the quirk.
        guard run.hits * 100 >= run.frames * QuirkMemory.leastPercent else {
            runs[kind] = nil
            return
        }
        runs[kind] = run
        guard run.hits >= QuirkMemory.leastFrames, time - run.began >= QuirkMemory.leastTime else { return }
        runs[kind] = nil
        misses[kind] = 0
        learned[kind] = PictureTolerance(quirk: kind, since: clock.wall(at: time), frames: run.hits)
    }
}
