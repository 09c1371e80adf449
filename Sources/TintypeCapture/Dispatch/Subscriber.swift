// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

/// A ``FrameSubscription`` in the dispatcher: frames in capture order, each once; at most ``depth`` are queued.
struct Subscriber {
    /// Maximum number of queued frames, encoded or not.
    static let depth = 8

    let id: UInt64
    private(set) var criteria: FrameCriteria
    let place: RequestLimiter.Place?
    /// See ``FrameCriteria/objection(to:admission:now:limits:)``.
    var admission: FrameKey?
    let waker: TaskWaker
    var queue = DeliveryQueue()
    /// Reason why no further frame comes.
    private(set) var failure: Problem?
    /// Dequeue time of the newest frame skipped for ``FrameCriteria/nth``.
    private(set) var lastUnwanted = MonotonicTime.never

    private var seen = 0
    private var last: FrameKey?
    private var hasEnded = false
    /// Time since which settling alone has delayed the first frame, and the delay, once it is over.
    private var (heldSince, settleDelay): (MonotonicTime?, Duration?) = (nil, nil)
    /// The newest frame counted as skipped for settling.
    private var unsettled: FrameKey?

    init(id: UInt64, _ criteria: FrameCriteria, place: RequestLimiter.Place?, _ waker: TaskWaker) {
        (self.id, self.criteria, self.place, self.waker) = (id, criteria, place, waker)
    }

    mutating func renew(_ criteria: FrameCriteria) {
        self.criteria = criteria
        (admission, failure, lastUnwanted, seen, last, hasEnded) = (nil, nil, .never, 0, nil, false)
        (heldSince, settleDelay, unsettled) = (nil, nil, nil)
        queue.reset()
    }

    private var hasAll: Bool { hasEnded || criteria.count.map { queue.taken >= $0 } ?? false }
    var isOpen: Bool { failure == nil && !hasAll }

    /// True while a client that opens the camera waits for frames or for their encoding.
    var isPending: Bool { criteria.opens && (isOpen || queue.isEncoding) }

    /// Takes a matching frame if one more is wanted; if the queue is full, the new one is lost: queued ones are
    /// encoded, and a client that never reads would cost an encode for each frame.
    mutating func take(_ stamp: FrameStamp, opening: SessionSnapshot.Opening? = nil, now: MonotonicTime) -> Bool {
        let key = stamp.key
        guard isOpen, last.map({ key > $0 }) ?? true else { return false }
        if let end = criteria.end, stamp.exposureStart > end {
            hasEnded = stamp.isPast(end)
            return false
        }
        last = key
        seen += 1
        if let heldSince, settleDelay == nil { settleDelay = max(.zero, now - heldSince) }
        // It was counted as skipped before it was known to be settled.
        if unsettled == key { queue.uncount(.unsettled) }
        guard (seen - 1) % criteria.nth == 0 else {
            lastUnwanted = stamp.dequeued
            return false
        }
        guard queue.count < Self.depth else {
            queue.count(.overrun)
            return false
        }
        queue.append(key, opening)
        return true
    }

    mutating func pass(over reason: SkipReason, count: Int = 1) { if isOpen { queue.count(reason, count) } }

    /// Skips a frame that is not known to be settled; counts it if it `isNew`.
    mutating func holdBack(_ stamp: FrameStamp, isNew: Bool) {
        heldSince = heldSince ?? max(criteria.requestedAt, stamp.dequeued)
        guard isNew else { return }
        unsettled = stamp.key
        pass(over: .unsettled)
    }

    /// The next frame replaces a damaged one, refused options are final.
    mutating func finish(_ key: FrameKey, _ result: EncodingResult) {
        if let refusal = queue.finish(key, result) { failure = failure ?? refusal }
    }

    /// Accepts no further frames; those already taken are still delivered.
    mutating func fail(_ problem: Problem) { if isOpen { failure = problem } }

    /// Like ``fail(_:)``, and drops the frames that are not encoded yet.
    mutating func abandon(_ problem: Problem) {
        let isIncomplete = queue.isEncoding
        queue.dropEncoding()
        if !hasAll || isIncomplete { failure = failure ?? problem }
    }

    mutating func end() { hasEnded = true }
    var isReady: Bool { queue.isEmpty ? hasAll || failure != nil : queue.isReady }

    mutating func next() -> FrameSubscription.Step? {
        guard queue.isEmpty else {
            guard var delivery = queue.popFirst() else { return nil }
            delivery.settleDelay = exchange(&settleDelay, with: .zero) ?? .zero
            return .frame(delivery)
        }
        if let failure { return .failed(failure) }
        return hasAll ? .end(skipped: queue.passedOver.skipped) : nil
    }
}

/// Frames taken by one subscriber, in capture order, and the frames skipped before each.
struct DeliveryQueue {
    private struct Item {
        let key: FrameKey
        var skipped: [SkipReason: Int]
        let opening: SessionSnapshot.Opening?
        var image: EncodedImage?
    }

    private var items: [Item] = []
    /// Number of frames taken, without those given back.
    private(set) var taken = 0
    /// Frames skipped since the last one taken, and the faults seen since the last delivery.
    private var passed = PassedFrames()
    private var uncounted = PassedFrames()

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }
    var isReady: Bool { items.first?.image != nil }
    var isEncoding: Bool { items.contains { $0.image == nil } }
    func isEncoding(_ key: FrameKey) -> Bool { items.contains { $0.key == key && $0.image == nil } }

    mutating func append(_ key: FrameKey, _ opening: SessionSnapshot.Opening?) {
        items.append(Item(key: key, skipped: passed.skipped, opening: opening))
        passed.skipped = [:]
        taken += 1
    }

    mutating func reset() {
        items.removeAll(keepingCapacity: true)
        (taken, passed, uncounted) = (0, PassedFrames(), PassedFrames())
    }

    /// Counts skipped frames for the item at `index`, or for the next one taken.
    mutating func count(_ reason: SkipReason, _ count: Int = 1, at index: Int? = nil) {
        uncounted.count(reason, count)
        if let index, index < items.count {
            items[index].skipped[reason, default: 0] += count
        } else {
            passed.count(reason, count)
        }
    }

    mutating func uncount(_ reason: SkipReason) {
        passed.uncount(reason)
        uncounted.uncount(reason)
    }

    /// Returns the problem of refused options.
    mutating func finish(_ key: FrameKey, _ result: EncodingResult) -> Problem? {
        guard let index = items.firstIndex(where: { $0.key == key }) else { return nil }
        switch result {
        case .success(let image): items[index].image = image
        case .failure(.refused(let problem)):
            items.remove(at: index)
            taken -= 1
            return problem
        case .failure(let error):
            giveBack(index)
            damaged(at: index, error)
        }
        return nil
    }

    /// Counts a damaged frame of the series averaged for `key`; another frame takes its place.
    mutating func partWasDamaged(_ key: FrameKey, _ error: ImagingError) {
        if let index = items.firstIndex(where: { $0.key == key }) { damaged(at: index, error) }
    }

    /// Gives up a taken frame that will not be encoded; another one replaces it.
    mutating func lose(_ key: FrameKey) {
        if let index = items.firstIndex(where: { $0.key == key && $0.image == nil }) { giveBack(index) }
    }

    mutating func dropEncoding() { items.removeAll { $0.image == nil } }

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

    mutating func popFirst() -> FrameDelivery? {
        guard let first = items.first, let image = first.image else { return nil }
        passed.faults = [:]
        items.removeFirst()
        return FrameDelivery(image: image, skipped: first.skipped, opening: first.opening)
    }

    mutating func takeUncounted() -> [SkipReason: Int] { exchange(&uncounted, with: PassedFrames()).skipped }

    var passedOver: PassedFrames {
        var all = passed
        for item in items { all.skipped.merge(item.skipped, uniquingKeysWith: +) }
        return all
    }
}

/// Criteria of a subscription for its frames, and what is to be made of them.
package struct FrameCriteria: Hashable, Sendable {
    /// First event that ends a subscription early: a failure of the camera, a stop by command, the end of the session.
    enum Lifetime { case untilFailure, untilStop, untilEnd }

    var fresh: Freshness
    var options: EncodingOptions
    var settle: SettlePolicy = .never
    /// Latest time until which ``SettlePolicy/auto`` waits, early enough before the deadline to still take a frame.
    var settleBy = MonotonicTime.distantFuture
    var after: FrameKey?
    var isLargest = false
    /// Opens the camera and keeps it open; false to use only frames taken for other clients.
    var opens = true
    package var requestedAt: MonotonicTime
    /// Number of frames; nil for all up to ``end``.
    var count: Int? = 1
    var nth = 1
    /// Latest exposure start; nil for no limit.
    var end: MonotonicTime?
    /// Permits an interruption of the stream for a full-size still; false if no frame may be missing.
    var allowsGaps = true
    var lifetime = Lifetime.untilFailure
    /// Stop count when the client began, since a camera stopped later is not reopened for it; nil for any.
    var stops: Int?

    /// Nil for a match; `admission` is the newest buffer when the queue was first seen empty after the request.
    func objection(to stamp: FrameStamp, admission: FrameKey?, now: MonotonicTime, limits: FrameLimits) -> SkipReason? {
        if stamp.mayPrecedeStream { return .undated }
        if let after, stamp.key <= after { return .stale }
        switch fresh {
        // A frame that waited in the queue during a hung driver call is not the next one.
        case .next:
            return stamp.dequeued >= requestedAt && stamp.dequeued - stamp.driverTime <= limits.queue ? nil : .stale
        // Past frames come only from the ring.
        case .at: return .stale
        case .latest: return now - stamp.exposureStart <= limits.silence ? nil : .stale
        case .maxAge(let age): return stamp.earliestExposure >= requestedAt - age ? nil : .stale
        case .request:
            guard stamp.source == .dequeue else { return stamp.earliestExposure >= requestedAt ? nil : .stale }
            // The exposure of the first buffer after the queue was seen empty may precede the request; the second
            // cannot.
            guard let admission else { return .undated }
            return stamp.stream == admission.stream && stamp.ordinal < admission.ordinal + 2 ? .undated : nil
        }
    }
}
