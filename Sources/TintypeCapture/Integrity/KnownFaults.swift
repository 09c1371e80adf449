// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeImaging
package import TintypeModel
package import TintypeSystem

/// Learns the faults that all pictures of a camera have.
///
/// A quirk is learned once at least 95 % of the frames that clients want have it, at least 30 of them over at least 2
/// seconds. It is forgotten after 30 consecutive faultless frames. Any thread; never blocks.
package final class KnownFaults: Sendable {
    package static let leastFrames = 30
    package static let leastTime = Duration.seconds(2)
    fileprivate static let leastPercent = 95

    fileprivate struct Run {
        let began: MonotonicTime
        var frames = 0
        var hits = 0
    }

    fileprivate struct State {
        var camera: ToleranceStore.Camera?
        var last: [JPEGInspection.Depth: FrameKey] = [:]
        var runs: [PictureQuirk: Run] = [:]
        var learned: [PictureQuirk: PictureTolerance] = [:]
        /// Number of consecutive frames with neither the learned quirk nor any other fault.
        var misses: [PictureQuirk: Int] = [:]

        var sorted: [PictureTolerance] { learned.values.sorted { $0.quirk.rawValue < $1.quirk.rawValue } }

        mutating func record(
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
            guard var run = runs[kind] ?? (isHit ? Run(began: time) : nil) else { return }
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

    private let state = Mutex(State())
    private let clock: any MonotonicClock
    private let store: ToleranceStore

    package init(clock: any MonotonicClock, store: ToleranceStore = ToleranceStore()) {
        (self.clock, self.store) = (clock, store)
    }

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

    /// Takes the quirks of a device from the store if it differs from the previous one.
    package func begin(with identity: CameraIdentity) {
        let camera = ToleranceStore.Camera(identity)
        state.withLock { state in
            guard state.camera != camera else { return }
            state = State(camera: camera)
            for known in store.tolerance(of: camera) { state.learned[known.quirk] = known }
        }
    }

    private func keep(_ state: State) { if let camera = state.camera { store.set(state.sorted, of: camera) } }

    /// Records the inspection of a frame; repeated inspections at the same depth count once.
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

/// Learned faults of all cameras by identity, which outlive the sessions; any thread, never blocks.
package final class ToleranceStore: Sendable {
    /// Properties of a camera that stay the same after a restart, and when it is plugged in again.
    package struct Camera: Hashable, Codable, Sendable {
        let driver: String
        let card: String
        let usb: String?
        /// Serial number, or the place of a camera without one.
        let place: String

        package init(_ identity: CameraIdentity) {
            (driver, card, usb) = (identity.driver, identity.card, identity.usb)
            place = identity.serial ?? identity.busInfo
        }
    }

    package struct Entry: Codable, Sendable {
        let camera: Camera
        let tolerance: [PictureTolerance]
    }

    /// Maximum number of cameras; the least recently changed one is dropped.
    package static let most = 256
    private static let mostFrames = 1 << 40

    private let entries = Mutex<[Entry]>([])
    private let save: @Sendable ([Entry]) -> Void

    /// `save` receives all entries after each change; it must not block.
    package init(save: @escaping @Sendable ([Entry]) -> Void = { _ in }) { self.save = save }

    /// Adds entries from before a restart, without impossible ones.
    package func add(_ kept: [Entry]) {
        let possible = kept.suffix(Self.most).filter { entry in
            entry.tolerance.allSatisfy { (0...Self.mostFrames).contains($0.frames) }
        }
        entries.withLock { $0 = possible }
    }

    package func tolerance(of camera: Camera) -> [PictureTolerance] {
        entries.withLock { entries in entries.last { $0.camera == camera }?.tolerance ?? [] }
    }

    package func set(_ tolerance: [PictureTolerance], of camera: Camera) {
        entries.withLock { entries in
            entries.removeAll { $0.camera == camera }
            if !tolerance.isEmpty { entries.append(Entry(camera: camera, tolerance: tolerance)) }
            if entries.count > Self.most { entries.removeFirst() }
            // Under the lock, so that the last change is saved last.
            save(entries)
        }
    }
}
