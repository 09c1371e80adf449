// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// Published state of a session, under a lock of its own; any thread, never blocks.
package final class PublishedState: Sendable {
    private struct State {
        var snapshot = SessionSnapshot()
        var warmth = WarmthReport()
        var events: StateEventEmitter
    }

    private let state: Mutex<State>

    /// `tell` receives the events of `camera`, under the lock.
    init(camera: String = "", tell: @escaping EventSink = { _ in }) {
        state = Mutex(State(events: StateEventEmitter(camera: camera, tell: tell)))
    }

    package var snapshot: SessionSnapshot { state.withLock(\.snapshot) }

    /// Frame interval of the granted format; zero if it is not known.
    var interval: Duration { state.withLock { $0.snapshot.format?.interval?.duration ?? .zero } }
    package func update(_ change: (inout SessionSnapshot) -> Void) { state.withLock { change(&$0.snapshot) } }
    package func count(_ change: (inout CameraCounters) -> Void) { state.withLock { change(&$0.snapshot.counters) } }
    package func facts(at moment: MonotonicTime) -> CameraFacts { state.withLock { $0.snapshot.facts(at: moment) } }

    func updateControls(_ change: (inout ControlStatus) -> Void) {
        update { snapshot in
            var status = snapshot.controls ?? ControlStatus()
            change(&status)
            snapshot.controls = status
        }
    }

    /// Records the latency of a request made while the device was streaming.
    func recordLatency(of stamp: FrameStamp, for freshness: Freshness, requestedAt: MonotonicTime) {
        guard freshness == .request || freshness == .next, let opening = snapshot.opening,
            opening.began + opening.took <= requestedAt
        else { return }
        let latency = max(.zero, stamp.dequeued - requestedAt)
        updateWarmth { $0.fromRunning.add(latency) }
    }

    var warmth: WarmthReport { state.withLock(\.warmth) }
    func updateWarmth(_ change: (inout WarmthReport) -> Void) { state.withLock { change(&$0.warmth) } }

    /// Publishes a session state and emits its event.
    func enter(_ new: SessionState) {
        state.withLock { state in
            state.snapshot.state = new
            state.events.show(new)
        }
    }

    /// Reports a lost camera as back, at the first good frame.
    func goodFrameCame() { state.withLock { $0.events.frameCame(in: $0.snapshot.state) } }
    func showStuck(_ problem: Problem) { state.withLock { $0.events.showStuck(problem) } }
    func showReturn() { state.withLock { $0.events.showReturn(to: $0.snapshot.state) } }

    /// Bus address reported by the driver when the camera was last open, for the log.
    var bus: Logger.MetadataValue { "\(snapshot.identity?.busInfo ?? "unknown")" }
}
