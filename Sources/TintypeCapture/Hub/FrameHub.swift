// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
internal import TintypeThreads

/// Where frames meet clients that wait for them, and where a session publishes its state.
///
/// The session offers each frame and is told whether a client wants it: it is encoded only then. All who want
/// the same rendering of a frame share one encode of it. Any thread; never blocks.
package final class FrameHub: Sendable {
    /// A frame and what is made of it.
    struct Order: Hashable {
        let key: FrameKey
        let rendition: Rendition
    }

    struct State {
        var nextID: UInt64 = 1
        var waiting: [UInt64: FrameDemand] = [:]
        var rendering: [Order: [FrameDemand]] = [:]
        /// Clients that want one frame after the other, and who of them waits for what is rendered.
        var feeds: [UInt64: Feeding] = [:]
        var feedsOfRendering: [Order: [UInt64]] = [:]
        /// What is rendered for the ring and for subscriptions alone: that keeps no camera open.
        var ringOnly: Set<Order> = []
        /// Pictures of several frames, of which not all have come; a client that waits for them is in ``rendering``.
        var series: [Order: FrameSeries] = [:]
        /// Renderings of the newest frame.
        var rendered: [Order: Frame] = [:]
        /// What was passed over for demands that have their answer and have not been withdrawn yet.
        var answeredSkips: [UInt64: [SkipReason: Int]] = [:]
        /// Whether exposure and white balance have settled.
        var settling = SettleState()
        /// How long demands were held back for that, by their ids, until they are withdrawn.
        var settleTimes: [UInt64: Duration] = [:]
        /// The newest frame, once its bytes turned out not to be a picture for some, and for whom.
        var damaged: (key: FrameKey, standards: Set<PictureStandard>)?
        /// When a frame that was to be encoded last turned out to be no picture.
        var lastDamage: MonotonicTime?
        var newestKey: FrameKey?
        /// How long the machine had been suspended when the newest frame came.
        var newestSlept = Duration.zero
        /// What everybody is told since the session has ended.
        var closing: Problem?
        var lastUse = FrameHub.never
        var warmth = WarmthReport()
        /// Examinations that go on: the camera stays open for them.
        var watches = 0
        /// Bursts of the ring that go on: the stream is not interrupted meanwhile.
        var bursts = 0
        /// Whom the frames that come are for.
        var kind = StreamKind.usual
        /// Interruptions for the largest size, by the stream that ran in them.
        var gaps: [UInt64: GapWatch] = [:]
        /// How often the camera was stopped by command, and what was told the last time.
        var stops: (count: Int, problem: Problem?) = (0, nil)
        var snapshot = SessionSnapshot()
    }

    let state = Mutex(State())
    /// The places for waiting clients here.
    let room: WaitingRoom
    /// How long the machine has been suspended since it booted.
    let asleep: @Sendable () -> Duration
    /// A suspend is longer than this; what is shorter comes from reading two clocks.
    static let nap = Duration.milliseconds(500)

    /// A hub without clients.
    package init(
        room: WaitingRoom = WaitingRoom(),
        asleep: @escaping @Sendable () -> Duration = MonotonicTime.suspended
    ) {
        self.room = room
        self.asleep = asleep
    }

    /// What the session last published.
    package var snapshot: SessionSnapshot { state.withLock { $0.snapshot } }

    /// Changes what is published.
    package func update(_ change: (inout SessionSnapshot) -> Void) { state.withLock { change(&$0.snapshot) } }

    /// Counts something that happened outside the session.
    package func count(_ change: (inout CameraCounters) -> Void) {
        state.withLock { change(&$0.snapshot.counters) }
    }

    /// Whether anybody waits for a frame or for its encode, or examines the camera.
    var isInDemand: Bool {
        state.withLock {
            !$0.waiting.isEmpty || $0.rendering.count > $0.ringOnly.count || $0.watches > 0 || $0.isFeeding
        }
    }

    /// Keeps an open camera open until ``endWatch(isGone:)``; opens none, as those do who wait for a frame.
    func beginWatch() { state.withLock { $0.watches += 1 } }

    /// Ends what ``beginWatch()`` began.
    ///
    /// `isGone` says that the client has gone away: that is no use that a camera lingers for.
    func endWatch(isGone: Bool = false) {
        state.withLock { state in
            state.watches -= 1
            if !isGone { state.lastUse = .now() }
        }
    }

    /// What everybody is told since the session has ended; nil before.
    var closing: Problem? { state.withLock { $0.closing } }

    /// When a client last had a frame, stopped waiting, or ended to hold the camera; ``never`` if none has.
    var lastUse: MonotonicTime { state.withLock { $0.lastUse } }
}
