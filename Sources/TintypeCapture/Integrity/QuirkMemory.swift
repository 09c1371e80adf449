// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeImaging
package import TintypeModel
package import TintypeSystem

/// What is known of the way in which a camera's pictures are always a little wrong.
///
/// It learns from the frames that a client wants, as no others are looked at. A quirk is taken as the camera's way once
/// at least 95 % of the frames have had it, at least 20 of them, over at least two seconds; it is forgotten after 20
/// frames in a row that had nothing wrong. Only what leaves every block of a picture readable can be a quirk. Any
/// thread; never blocks.
package final class QuirkMemory: Sendable {
    /// The frames that a quirk has to be seen in.
    package static let leastFrames = 20
    /// The time over which it has to be seen.
    package static let leastTime = Duration.seconds(2)
    /// Of a hundred frames, how many have to have it.
    fileprivate static let leastPercent = 95

    /// The frames since a quirk was first seen.
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
        /// Frames in a row that did not have a learned quirk, nor anything else.
        var misses: [PictureQuirk: Int] = [:]
    }

    private let state = Mutex(State())
    private let clock: any MonotonicClock

    /// Nothing is known yet; the frames' moments are of `clock`.
    package init(clock: any MonotonicClock) { self.clock = clock }

    /// What is taken as the camera's way, by name; nil for nothing.
    package var tolerance: [PictureTolerance]? {
        let learned = state.withLock { $0.learned.values.sorted { $0.quirk.rawValue < $1.quirk.rawValue } }
        return learned.isEmpty ? nil : learned
    }

    /// Whether a quirk is taken as the camera's way.
    package func covers(_ quirk: PictureQuirk) -> Bool { state.withLock { $0.learned[quirk] != nil } }

    /// Forgets everything.
    package func reset() {
        state.withLock { state in state = State(identity: state.identity) }
    }

    /// Begins with this device: what another one did is forgotten.
    package func begin(with identity: CameraIdentity) {
        state.withLock { state in
            if let before = state.identity, before != identity { state = State() }
            state.identity = identity
        }
    }

    /// Records what was found of a frame; each frame counts once, however many look at it.
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
            // Only a look at the data sees what is in it; every look sees the end.
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
        // The share is that of all frames since the first one that had it.
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
