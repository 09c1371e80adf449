// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Frame request of one client, and its progress: one frame, several consecutive ones, or all that arrive.
///
/// Frames are delivered in capture order, each once. At most ``room`` are queued; further frames are skipped and
/// counted, so a slow client loses only its own frames.
package struct Demand {
    package struct Plan: Sendable {
        /// Number of frames; nil for all up to ``end``.
        var count: Int?
        var nth = 1
        /// Latest exposure start; nil for no limit.
        var end: MonotonicTime?
        /// Permits an interruption of the stream for a full-size still; false if no frame may be missing.
        var allowsGaps = false
        /// True for a passive demand: it neither opens the camera nor keeps it open, and survives the end of a stream.
        var isSubscription = false
        /// True for a demand that failures of the camera do not fail: it waits until its client's deadline.
        var survivesFailure = false

        package static let still = Plan(count: 1, allowsGaps: true)
        /// A further picture of a live stream.
        static let streamed = Plan(count: 1, allowsGaps: true, survivesFailure: true)
    }

    struct Item {
        let key: FrameKey
        var skipped: [SkipReason: Int]
        let opening: SessionSnapshot.Opening?
        /// Nil until the frame is encoded.
        var frame: EncodedImage?
    }

    /// Maximum number of queued frames, encoded or not.
    package static let room = 8

    let id: UInt64
    let wish: FrameWish
    let plan: Plan
    /// Place in the waiting room; nil if no client waits.
    let place: RequestLimiter.Place?
    /// The newest buffer dequeued when the driver's queue was first seen empty after the request.
    var admission: FrameKey?
    /// Woken as soon as ``next()`` has a result.
    var waiter: Reply<Bool>?
    /// Reason why no further frame comes.
    private(set) var failure: Problem?
    /// Dequeue time of the newest frame skipped for ``Plan/nth``.
    private(set) var lastUnwanted = FrameDispatcher.never

    private var items: [Item] = []
    private var taken = 0
    private var seen = 0
    private var last: FrameKey?
    private var hasEnded = false
    /// Frames skipped since the last one taken, and the faults seen since the last delivery.
    private var passed = PassedFrames()
    /// Frames skipped since the last ``takeUncounted()``.
    private var uncounted = PassedFrames()
    private var settling = SettleDelay()

    init(id: UInt64, _ wish: FrameWish, _ plan: Plan, place: RequestLimiter.Place?) {
        self.id = id
        self.wish = wish
        self.plan = plan
        self.place = place
    }

    private var hasAll: Bool { hasEnded || plan.count.map { taken >= $0 } ?? false }

    var isOpen: Bool { failure == nil && !hasAll }

    var opens: Bool { wish.opens && !plan.isSubscription }

    /// True while a demand that opens the camera waits for frames or for their encoding.
    var isPending: Bool { opens && (isOpen || items.contains { $0.frame == nil }) }

    var forbidsGaps: Bool { !plan.allowsGaps && isOpen }

    /// Reason why a frame does not match the request, nil if it does; `stallLimit`: maximum age of a `latest` frame.
    func objection(to stamp: FrameStamp, key: FrameKey, now: MonotonicTime, stallLimit: Duration) -> SkipReason? {
        if stamp.mayPrecedeStream { return .undated }
        if let after = wish.after, key <= after { return .stale }
        let requestedAt = wish.requestedAt
        switch wish.fresh {
        // A frame that waited in the queue during a hung driver call is not the next one.
        case .next:
            return stamp.dequeued >= requestedAt && stamp.dequeued - stamp.driverTime <= stallLimit ? nil : .stale
        // Past frames come only from the ring.
        case .at: return .stale
        case .latest: return now - stamp.exposureStart <= stallLimit ? nil : .stale
        case .maxAge(let age):
            return stamp.earliestExposure >= requestedAt - age ? nil : .stale
        case .request:
            guard stamp.source == .dequeue else { return stamp.earliestExposure >= requestedAt ? nil : .stale }
            // Exposure of the first buffer after the queue was seen empty may precede the request; that of the second
            // cannot.
            guard let admission else { return .undated }
            if key.stream == admission.stream { return key.ordinal >= admission.ordinal + 2 ? nil : .undated }
            return nil
        }
    }

    /// Takes a matching frame if one more is wanted.
    ///
    /// Each frame is offered until it matches. If the queue is full, the new frame is lost, not a queued one: those are
    /// encoded, and a client that never reads would otherwise cost an encode for each frame.
    mutating func take(
        _ stamp: FrameStamp,
        key: FrameKey,
        opening: SessionSnapshot.Opening? = nil,
        now: MonotonicTime
    ) -> Bool {
        guard isOpen, last.map({ key > $0 }) ?? true else { return false }
        if let end = plan.end, stamp.exposureStart > end {
            hasEnded = stamp.isPast(end)
            return false
        }
        last = key
        seen += 1
        if settling.end(with: key, now: now) {
            passed.uncount(.unsettled)
            uncounted.uncount(.unsettled)
        }
        guard (seen - 1) % plan.nth == 0 else {
            lastUnwanted = stamp.dequeued
            return false
        }
        guard items.count < Self.room else {
            count(.overrun)
            return false
        }
        items.append(Item(key: key, skipped: passed.skipped, opening: opening))
        passed.skipped = [:]
        taken += 1
        return true
    }

    mutating func pass(over reason: SkipReason, count: Int = 1) { if isOpen { self.count(reason, count) } }

    /// Counts skipped frames for the item at `index`, or for the next one taken.
    private mutating func count(_ reason: SkipReason, _ count: Int = 1, at index: Int? = nil) {
        uncounted.count(reason, count)
        if let index, index < items.count {
            items[index].skipped[reason, default: 0] += count
        } else {
            passed.count(reason, count)
        }
    }

    /// Skips a frame that is not known to be settled; counts it if it `isNew`.
    mutating func holdBack(_ stamp: FrameStamp, key: FrameKey, isNew: Bool) {
        settling.begin(with: key, at: max(wish.requestedAt, stamp.dequeued), isCounted: isNew)
        if isNew { pass(over: .unsettled) }
    }

    /// Records the encoding result of a taken frame; the next one replaces a damaged one, and no further frame comes if
    /// the picture cannot be made from this camera's frames at all.
    mutating func finish(_ key: FrameKey, _ result: Result<EncodedImage, ImagingError>) {
        guard let index = items.firstIndex(where: { $0.key == key }) else { return }
        switch result {
        case .success(let frame): items[index].frame = frame
        case .failure(.refused(let problem)):
            // It cannot be made from any other frame.
            items.remove(at: index)
            taken -= 1
            failure = failure ?? problem
        case .failure(let error):
            giveBack(index)
            damaged(at: index, error)
        }
    }

    /// Counts a damaged frame of the series averaged for `key`; another frame takes its place.
    mutating func partWasDamaged(_ key: FrameKey, _ error: ImagingError) {
        guard let index = items.firstIndex(where: { $0.key == key }) else { return }
        damaged(at: index, error)
    }

    /// Gives up a taken frame that will not arrive, and waits for another.
    mutating func lose(_ key: FrameKey) {
        if let index = items.firstIndex(where: { $0.key == key && $0.frame == nil }) { giveBack(index) }
    }

    /// Removes an item and adds its skipped frames to those of the next one.
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
        count(error.skipReason, at: index)
    }

    /// Accepts no further frames; those already taken are still delivered.
    mutating func fail(_ problem: Problem) { if isOpen { failure = problem } }

    /// Like ``fail(_:)``, and drops the frames that are not encoded yet.
    mutating func abandon(_ problem: Problem) {
        let count = items.count
        items.removeAll { $0.frame == nil }
        if !hasAll || items.count < count { failure = failure ?? problem }
    }

    /// Ends the demand; frames already taken are still delivered.
    mutating func end() { hasEnded = true }

    /// Returns the frames skipped since the last call; deliveries have them, too.
    mutating func takeUncounted() -> [SkipReason: Int] { exchange(&uncounted, with: PassedFrames()).skipped }

    var isReady: Bool {
        guard let first = items.first else { return hasAll || failure != nil }
        return first.frame != nil
    }

    /// Next step for the client; nil if it has to wait.
    mutating func next() -> FrameFeed.Step? {
        if let first = items.first {
            guard let frame = first.frame else { return nil }
            passed.faults = [:]
            var delivery = FrameDelivery(frame: frame, skipped: first.skipped, opening: first.opening)
            delivery.settleDelay = settling.take()
            items.removeFirst()
            return .frame(delivery)
        }
        if let failure { return .failed(failure) }
        return hasAll ? .end(skipped: passed.skipped) : nil
    }

    var passedOver: PassedFrames {
        var all = passed
        for item in items { all.skipped.merge(item.skipped, uniquingKeysWith: +) }
        return all
    }
}

/// Delay of the first frame caused by settling alone.
struct SettleDelay {
    private var since: MonotonicTime?
    /// The newest frame counted as skipped for settling.
    private var counted: FrameKey?
    private var duration: Duration?

    /// Starts the delay: a matching frame is held back.
    mutating func begin(with key: FrameKey, at moment: MonotonicTime, isCounted: Bool) {
        since = since ?? moment
        if isCounted { counted = key }
    }

    /// Ends the delay because a frame is taken; returns true if that was already counted as skipped, before it was
    /// known to be settled.
    mutating func end(with key: FrameKey, now: MonotonicTime) -> Bool {
        if let since, duration == nil { duration = max(.zero, now - since) }
        return counted == key
    }

    /// Returns the delay at the first call, then zero.
    mutating func take() -> Duration { exchange(&duration, with: .zero) ?? .zero }
}
