// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Frame demands of one camera and the encodings in progress, one for all demands of the same options of a frame; a
/// plain value without lock, task or clock, changed by the dispatcher.
struct DemandTable {
    struct Order: Hashable {
        let key: FrameKey
        let options: EncodingOptions
    }

    struct Rendering {
        /// Ids of the demands that have taken the frame.
        var demands: [UInt64] = []
        /// Series of frames to average; nil for a single frame or a complete series.
        var series: FrameSeries?
    }

    /// All demands, oldest first.
    var demands: [Demand] = []
    var renderings: [Order: Rendering] = [:]
    var rendered: [Order: EncodedImage] = [:]
    /// The newest frame, if an encoding found it damaged, and the standards for which it is.
    var damaged: (key: FrameKey, standards: Set<PictureStandard>)?
    /// Time at which an encoding last found a damaged frame.
    var lastDamage: MonotonicTime?
    /// The newest frame, and the total suspend time of the machine when it arrived.
    var newest: (key: FrameKey, slept: Duration)?
    var settling = SettleState()
    var kind = FrameDispatcher.StreamKind.usual
    var opening: SessionSnapshot.Opening?
    /// Maximum age of a `latest` frame.
    var stallLimit = Duration.seconds(2)
    /// Time of the last delivery, end of a wait, or release of the camera by a client.
    var lastUse = FrameDispatcher.never
    /// Problem for every client after the session has ended.
    var closing: Problem?
    private var nextID: UInt64 = 1
    private var woken: [Reply<Bool>] = []

    /// Damaged frames within this time of each other count as one incident.
    static let damageMemory = Duration.seconds(60)

    // MARK: - Clients

    /// Adds a demand and returns its id; after the end of the session the demand fails at once.
    mutating func add(_ wish: FrameWish, _ plan: Demand.Plan, place: RequestLimiter.Place?) -> UInt64 {
        var demand = Demand(id: nextID, wish, plan, place: closing == nil ? place : nil)
        nextID += 1
        if let closing { demand.fail(closing) }
        demands.append(demand)
        return demand.id
    }

    /// Removes a demand, waiting or not, and returns the frames skipped since its last delivery.
    mutating func remove(_ id: UInt64, isGone: Bool, now: MonotonicTime) -> PassedFrames {
        guard let index = index(of: id) else { return PassedFrames() }
        let demand = demands.remove(at: index)
        if !isGone, demand.opens { lastUse = now }
        // Encodes in progress continue; their results reach the other clients, or none. A series without clients ends.
        for (order, rendering) in renderings where rendering.demands.contains(id) {
            renderings[order]?.demands.removeAll { $0 == id }
            if rendering.series != nil, rendering.demands.count == 1 { renderings[order] = nil }
        }
        return demand.passedOver
    }

    /// Next step of a client; nil if it has to wait, and `waiter` is then resolved when the step is available.
    mutating func take(_ id: UInt64, orElse waiter: Reply<Bool>?) -> FrameFeed.Step? {
        guard let index = index(of: id) else { return .end(skipped: [:]) }
        switch demands[index].next() {
        case .frame(var delivery):
            delivery.isSettled = settling.isSettled(delivery.frame.key)
            return .frame(delivery)
        case .some(let step): return step
        case nil:
            demands[index].waiter = waiter
            return nil
        }
    }

    mutating func change(_ id: UInt64, _ body: (inout Demand) -> Void) {
        if let index = index(of: id) { change(at: index, body) }
    }

    mutating func change(at index: Int, _ body: (inout Demand) -> Void) {
        body(&demands[index])
        if demands[index].waiter != nil, demands[index].isReady, let waiter = demands[index].waiter.take() {
            woken.append(waiter)
        }
    }

    mutating func changeAll(_ body: (inout Demand) -> Void) { for index in demands.indices { change(at: index, body) } }

    private func index(of id: UInt64) -> Int? { demands.firstIndex { $0.id == id } }

    func demand(_ id: UInt64) -> Demand? { index(of: id).map { demands[$0] } }

    mutating func takeWoken() -> [Reply<Bool>] { exchange(&woken, with: []) }

    /// Returns the newest frame if it is already encoded and matches the request.
    mutating func ready(_ wish: FrameWish, slept: Duration, now: MonotonicTime) -> FrameDelivery? {
        // After a suspend the age of an older frame is unknown, since the clock stood still.
        guard let newest, slept - newest.slept <= FrameDispatcher.nap, serves(wish),
            let frame = rendered[Order(key: newest.key, options: wish.options)]
        else { return nil }
        let demand = Demand(id: 0, wish, .still, place: nil)
        guard demand.objection(to: frame.stamp, key: newest.key, now: now, stallLimit: stallLimit) == nil,
            settling.isGoodEnough(newest.key, for: wish, at: now)
        else { return nil }
        requestLooks(in: newest.key, wish)
        if wish.opens { lastUse = now }
        return FrameDelivery(frame: frame, isSettled: settling.isSettled(frame.key))
    }

    /// True while an active demand waits for a frame not taken yet; a closed device is opened for it.
    var isAwaited: Bool { demands.contains { $0.isOpen && $0.opens } }

    /// True while an active demand waits that survives failures; the device is retried for it.
    var isAwaitedThroughFailure: Bool { demands.contains { $0.isOpen && $0.opens && $0.plan.survivesFailure } }

    /// True while an active demand waits that a failure would fail; a due attempt is not delayed for it.
    var isUrgent: Bool { demands.contains { $0.isPending && !$0.plan.survivesFailure } }

    var isIdle: Bool { demands.isEmpty && renderings.isEmpty }

    /// True while a client waits for a frame or its encoding.
    var isPending: Bool { demands.contains { $0.isPending } }

    /// True if frames of the current stream have the size of the request.
    func serves(_ wish: FrameWish) -> Bool {
        switch kind {
        case .usual: !wish.isLargest
        case .largest: wish.isLargest
        case .both: true
        }
    }

    /// Fails the waiting demands; subscriptions and demands that survive failures only when the session has ended.
    mutating func fail(_ problem: Problem) {
        for index in demands.indices {
            let plan = demands[index].plan
            guard closing != nil || !plan.isSubscription && !plan.survivesFailure else { continue }
            change(at: index) { $0.fail(problem) }
        }
    }

    /// Fails all demands but subscriptions because the camera is stopped, including those whose frame is being encoded.
    mutating func abandon(_ problem: Problem) {
        breakSeries()
        for index in demands.indices where !demands[index].plan.isSubscription {
            change(at: index) { $0.abandon(problem) }
        }
        // Encodes in progress continue; their results reach only subscriptions.
        let subscriptions = Set(demands.lazy.filter(\.plan.isSubscription).map(\.id))
        for order in renderings.keys { renderings[order]?.demands.removeAll { !subscriptions.contains($0) } }
    }

    /// Ends the session: fails all current and future demands.
    mutating func close(_ problem: Problem) {
        closing = problem
        breakSeries()
        fail(problem)
    }

    /// Forgets the newest frame, because its device is closed or the privacy shutter was closed.
    mutating func forgetFrames() {
        newest = nil
        rendered.removeAll()
        breakSeries()
    }

    func isSettlingAwaited(at now: MonotonicTime) -> Bool {
        demands.contains { $0.isOpen && settling.isAwaited(by: $0.wish, at: now) }
    }

    /// True if the next frame should be analysed for settling.
    func wantsLook(at now: MonotonicTime) -> Bool {
        guard settling.settledFrom == nil else { return false }
        return settling.looksLeft > 0 || isSettlingAwaited(at: now)
    }

    /// Next time at which a waiting client stops waiting for settled frames.
    func nextSettleLimit(after now: MonotonicTime) -> MonotonicTime? {
        guard settling.settledFrom == nil else { return nil }
        var next: MonotonicTime?
        for demand in demands where demand.isOpen && demand.wish.settle == .auto {
            let limit = settling.limit(of: demand.wish)
            if limit > now, limit < next ?? MonotonicTime(nanoseconds: .max) { next = limit }
        }
        return next
    }
}

/// Pictures averaged from several consecutive frames.
///
/// A series starts with a frame that matches a waiting client, and adds every later frame until it is complete. All
/// demands for the same options of the same first frame share it. Frames dropped by the driver are ignored. A damaged
/// frame is counted as skipped and replaced by the next one. If the device is closed in between, the series restarts
/// with the next matching frame.
extension DemandTable {
    /// Registers an encoding and returns the options to make now: the first part of an averaged picture.
    mutating func begin(_ order: Order, _ stamp: FrameStamp) -> EncodingOptions {
        renderings[order] = Rendering()
        guard order.options.average > 1 else { return order.options }
        let average = FrameAverage(count: order.options.average, first: stamp)
        renderings[order]?.series = FrameSeries(average: average, newest: order.key)
        return order.options.part(of: average)
    }

    /// Adds a frame to all incomplete series and returns the options to make of it.
    mutating func continueSeries(with key: FrameKey) -> [EncodingOptions] {
        var wanted: [EncodingOptions] = []
        for (order, rendering) in renderings {
            guard let series = rendering.series, key > series.newest, series.taken < order.options.average else {
                continue
            }
            renderings[order]?.series?.taken += 1
            renderings[order]?.series?.newest = key
            wanted.append(order.options.part(of: series.average))
        }
        return wanted
    }

    /// The order that `average` belongs to; nil if no client waits for it any more.
    func order(of average: FrameAverage) -> Order? { renderings.first { $0.value.series?.average == average }?.key }

    /// Counts a damaged frame of a series, which the next frame replaces.
    mutating func partWasDamaged(_ order: Order, _ error: ImagingError, now: MonotonicTime) -> Finish {
        renderings[order]?.series?.taken -= 1
        for id in renderings[order]?.demands ?? [] { change(id) { $0.partWasDamaged(order.key, error) } }
        return error.skipReason == .corrupt ? recordDamage(now: now) : .passedOver
    }

    /// Aborts all incomplete series because the stream has ended; their demands wait for a new first frame.
    mutating func breakSeries() {
        for (order, rendering) in renderings where rendering.series != nil {
            renderings[order] = nil
            for id in rendering.demands { change(id) { $0.lose(order.key) } }
        }
    }
}

struct FrameSeries {
    let average: FrameAverage
    /// Number of frames added so far, without damaged ones.
    var taken = 1
    var newest: FrameKey
}
