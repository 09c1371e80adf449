// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// A client that wants frames, and what has come of it: one frame, several in a row, or all that come.
///
/// Frames are handed out in the order of their capture and none of them twice. There is room for ``room`` of them; what
/// comes while that is used up is passed over and counted, so that a slow client loses its own frames and no other's.
package struct Demand {
    /// Which frames it takes.
    package struct Plan: Sendable {
        /// How many; nil for all up to ``end``.
        var count: Int?
        /// Each which one of those that come.
        var nth = 1
        /// None whose exposure began later; nil for any.
        var end: MonotonicTime?
        /// Permits an interruption of the stream for a still of the largest size; false if no frame may be missing.
        var allowsGaps = false
        /// Whether it takes what comes and no more: it opens no camera, keeps none open, and outlasts every stream.
        var isSubscription = false

        /// One frame.
        package static let still = Plan(count: 1, allowsGaps: true)
    }

    /// A frame that was taken for it.
    struct Item {
        let key: FrameKey
        /// What was passed over between the one before and this one.
        var skipped: [SkipReason: Int]
        /// The last opening of the camera.
        let opening: SessionSnapshot.Opening?
        /// What was made of it; nil until it is encoded.
        var frame: Frame?
    }

    /// The most frames that wait to be handed out, encoded or not.
    package static let room = 8

    let id: UInt64
    let wish: FrameWish
    let plan: Plan
    /// Its place among waiting clients; nil where no client waits.
    let place: WaitingRoom.Place?
    /// The newest buffer that had been taken when the driver's queue was first seen empty after the request.
    var admission: FrameKey?
    /// What is told as soon as there is something to hand out.
    var waiter: Reply<Bool>?
    /// Why it gets no further frame; nil while it may.
    private(set) var failure: Problem?
    /// When the newest frame came that is none of every n-th.
    private(set) var lastUnwanted = FrameHub.never

    private var items: [Item] = []
    private var taken = 0
    private var seen = 0
    private var last: FrameKey?
    private var hasEnded = false
    private var passed = PassedFrames()
    private var settling = SettleDelay()

    init(id: UInt64, _ wish: FrameWish, _ plan: Plan, place: WaitingRoom.Place?) {
        self.id = id
        self.wish = wish
        self.plan = plan
        self.place = place
    }

    // MARK: - What it wants

    /// Whether it wants no frame that has not come yet.
    private var hasAll: Bool { hasEnded || plan.count.map { taken >= $0 } ?? false }

    /// Whether it still wants frames that have not come yet.
    var isOpen: Bool { failure == nil && !hasAll }

    /// Whether the camera is opened for it, and stays open.
    var opens: Bool { wish.opens && !plan.isSubscription }

    /// Whether a client for which the camera is opened waits for frames that have not been taken, or for their encode.
    var isPending: Bool { opens && (isOpen || items.contains { $0.frame == nil }) }

    /// Whether the stream must not be interrupted now.
    var forbidsGaps: Bool { !plan.allowsGaps && isOpen }

    /// Why a frame does not do for it; nil if it does.
    ///
    /// `stallLimit` is the age at which one is not `latest` any more.
    func objection(to stamp: FrameStamp, key: FrameKey, now: MonotonicTime, stallLimit: Duration) -> SkipReason? {
        if stamp.mayPrecedeStream { return .undated }
        if let after = wish.after, key <= after { return .stale }
        let requestedAt = wish.requestedAt
        switch wish.fresh {
        // What had waited in the queue while a driver call hung is not what comes next.
        case .next:
            return stamp.dequeued >= requestedAt && stamp.dequeued - stamp.driverTime <= stallLimit ? nil : .stale
        // What the ring does not have, no frame to come has.
        case .at: return .stale
        case .latest: return now - stamp.exposureStart <= stallLimit ? nil : .stale
        case .maxAge(let age):
            return stamp.earliestExposure >= requestedAt - age ? nil : .stale
        case .request:
            guard stamp.source == .dequeue else { return stamp.earliestExposure >= requestedAt ? nil : .stale }
            // The first buffer after the queue was seen empty may have begun before the request; the second did not.
            guard let admission else { return .undated }
            if key.stream == admission.stream { return key.ordinal >= admission.ordinal + 2 ? nil : .undated }
            return nil
        }
    }

    // MARK: - What comes

    /// Takes a frame that does for its wish, if it wants one more; each frame is offered to it until it does.
    ///
    /// Where there is no room this frame is lost, not one before it: those are encoded, and a client that takes nothing
    /// would cost an encode for each frame otherwise.
    mutating func take(
        _ stamp: FrameStamp,
        key: FrameKey,
        opening: SessionSnapshot.Opening? = nil,
        now: MonotonicTime
    ) -> Bool {
        guard isOpen, last.map({ key > $0 }) ?? true else { return false }
        if let end = plan.end, stamp.exposureStart > end {
            hasEnded = true
            return false
        }
        last = key
        seen += 1
        if settling.end(with: key, now: now) { passed.uncount(.unsettled) }
        guard (seen - 1) % plan.nth == 0 else {
            lastUnwanted = stamp.dequeued
            return false
        }
        guard items.count < Self.room else {
            passed.count(.overrun)
            return false
        }
        items.append(Item(key: key, skipped: passed.skipped, opening: opening))
        passed.skipped = [:]
        taken += 1
        return true
    }

    /// Counts frames that came and do not do.
    mutating func pass(over reason: SkipReason, count: Int = 1) {
        if isOpen { passed.count(reason, count) }
    }

    /// A frame is not taken since it is not known to be settled; counts it, if it `isNew`.
    mutating func holdBack(_ stamp: FrameStamp, key: FrameKey, isNew: Bool) {
        settling.begin(with: key, at: max(wish.requestedAt, stamp.dequeued), isCounted: isNew)
        if isNew { pass(over: .unsettled) }
    }

    /// Takes up what was made of a frame that it has taken.
    ///
    /// One that turned out to be damaged is passed over, and the next takes its place; where what is wanted cannot be made
    /// of this camera's pictures, no further frame comes.
    mutating func finish(_ key: FrameKey, _ result: Result<Frame, ImagingError>) {
        guard let index = items.firstIndex(where: { $0.key == key }) else { return }
        switch result {
        case .success(let frame): items[index].frame = frame
        case .failure(.refused(let problem)):
            // Nor can it be made of any other frame.
            items.remove(at: index)
            taken -= 1
            failure = failure ?? problem
        case .failure(let error):
            giveBack(index)
            damaged(at: index, error)
        }
    }

    /// One of several frames that become the picture `key` has turned out damaged; another takes its place.
    mutating func partWasDamaged(_ key: FrameKey, _ error: ImagingError) {
        guard let index = items.firstIndex(where: { $0.key == key }) else { return }
        items[index].skipped[error.skipReason, default: 0] += 1
        if let fault = error.fault { passed.faults[fault, default: 0] += 1 }
    }

    /// Will not get a frame that it has taken: it waits for another.
    mutating func lose(_ key: FrameKey) {
        if let index = items.firstIndex(where: { $0.key == key && $0.frame == nil }) { giveBack(index) }
    }

    /// Takes an item out, and leaves what was passed over before it to the one behind it.
    private mutating func giveBack(_ index: Int) {
        let item = items.remove(at: index)
        taken -= 1
        if index < items.count {
            items[index].skipped.merge(item.skipped, uniquingKeysWith: +)
        } else {
            passed.skipped.merge(item.skipped, uniquingKeysWith: +)
        }
    }

    private mutating func damaged(at index: Int, _ error: ImagingError) {
        if let fault = error.fault { passed.faults[fault, default: 0] += 1 }
        if index < items.count {
            items[index].skipped[error.skipReason, default: 0] += 1
        } else {
            passed.count(error.skipReason)
        }
    }

    /// No further frame comes; those that were taken are still handed out.
    mutating func fail(_ problem: Problem) {
        if isOpen { failure = problem }
    }

    /// The same, and those that are not encoded yet are not handed out either.
    mutating func abandon(_ problem: Problem) {
        let count = items.count
        items.removeAll { $0.frame == nil }
        if !hasAll || items.count < count { failure = failure ?? problem }
    }

    /// No further frame is wanted; those that were taken are still handed out.
    mutating func end() { hasEnded = true }

    // MARK: - What is handed out

    /// Whether there is anything to hand out.
    var isReady: Bool {
        guard let first = items.first else { return hasAll || failure != nil }
        return first.frame != nil
    }

    /// What is handed out next; nil if that has to be waited for.
    mutating func next() -> FrameFeed.Step? {
        if let first = items.first {
            guard let frame = first.frame else { return nil }
            passed.faults = [:]
            var delivery = FrameDelivery(frame)
            delivery.skipped = first.skipped
            delivery.settleDelay = settling.take()
            delivery.opening = first.opening
            items.removeFirst()
            return .frame(delivery)
        }
        if let failure { return .failed(failure) }
        return hasAll ? .end(skipped: passed.skipped) : nil
    }

    /// What was passed over since the last frame that was handed out.
    var passedOver: PassedFrames {
        var all = passed
        for item in items { all.skipped.merge(item.skipped, uniquingKeysWith: +) }
        return all
    }
}

/// How long settling alone has kept the first frame from a client.
struct SettleDelay {
    private var since: MonotonicTime?
    /// The newest frame that was counted as passed over for that alone.
    private var counted: FrameKey?
    private var duration: Duration?

    /// A frame is held back that would do otherwise.
    mutating func begin(with key: FrameKey, at moment: MonotonicTime, isCounted: Bool) {
        since = since ?? moment
        if isCounted { counted = key }
    }

    /// A frame is taken; returns whether it had been counted as passed over, as it was not known to be settled then.
    mutating func end(with key: FrameKey, now: MonotonicTime) -> Bool {
        if let since, duration == nil { duration = max(.zero, now - since) }
        return counted == key
    }

    /// The delay, for the first frame that is handed out; zero for those behind it.
    mutating func take() -> Duration { exchange(&duration, with: .zero) ?? .zero }
}
