// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Who wants frames of one camera, and what is being made of them for whom.
///
/// A value without a lock, a task or a clock: the hub changes it. All who want the same rendering of a frame share one
/// encode of it.
struct DemandTable {
    /// A frame and what is made of it.
    struct Order: Hashable {
        let key: FrameKey
        let rendition: Rendition
    }

    /// Who a rendering is made for.
    struct Rendering {
        /// The demands that have taken the frame.
        var demands: [UInt64] = []
        /// The frames that it is made of, where those are several and not all of them have come.
        var series: FrameSeries?
    }

    /// All demands, the oldest first.
    var demands: [Demand] = []
    var renderings: [Order: Rendering] = [:]
    /// Renderings of the newest frame.
    var rendered: [Order: Frame] = [:]
    /// The newest frame, once its bytes turned out not to be a picture for some, and for whom.
    var damaged: (key: FrameKey, standards: Set<PictureStandard>)?
    /// When a frame that was to be encoded last turned out to be no picture.
    var lastDamage: MonotonicTime?
    /// The newest frame, and how long the machine had been suspended when it came.
    var newest: (key: FrameKey, slept: Duration)?
    /// Whether exposure and white balance have settled.
    var settling = SettleState()
    /// Whom the frames that come are for.
    var kind = FrameHub.StreamKind.usual
    /// The last opening of the camera.
    var opening: SessionSnapshot.Opening?
    /// The age at which a frame is not `latest` any more.
    var stallLimit = Duration.seconds(2)
    /// When a client last had a frame, stopped waiting, or ended to hold the camera.
    var lastUse = FrameHub.never
    /// What every client is told since the session has ended.
    var closing: Problem?
    private var nextID: UInt64 = 1
    private var woken: [Reply<Bool>] = []

    /// Damaged frames within this time of each other are one trouble.
    static let damageMemory = Duration.seconds(60)

    // MARK: - Clients

    /// Adds a demand, for which the answer is there at once where the session has ended; returns its id.
    mutating func add(_ wish: FrameWish, _ plan: Demand.Plan, place: WaitingRoom.Place?) -> UInt64 {
        var demand = Demand(id: nextID, wish, plan, place: closing == nil ? place : nil)
        nextID += 1
        if let closing { demand.fail(closing) }
        demands.append(demand)
        return demand.id
    }

    /// Removes a demand, waiting or not; returns what was passed over for it.
    mutating func remove(_ id: UInt64, isGone: Bool, now: MonotonicTime) -> PassedFrames {
        guard let index = index(of: id) else { return PassedFrames() }
        let demand = demands.remove(at: index)
        if !isGone, demand.opens { lastUse = now }
        // The encode goes on; its result reaches the other clients, or none. A series that no client waits for ends.
        for (order, rendering) in renderings where rendering.demands.contains(id) {
            renderings[order]?.demands.removeAll { $0 == id }
            if rendering.series != nil, rendering.demands.count == 1 { renderings[order] = nil }
        }
        return demand.passedOver
    }

    /// What a client gets next; where that has to be waited for, `waiter` is told when it is there.
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

    /// Changes one demand, if it is still there.
    mutating func change(_ id: UInt64, _ body: (inout Demand) -> Void) {
        if let index = index(of: id) { change(at: index, body) }
    }

    mutating func change(at index: Int, _ body: (inout Demand) -> Void) {
        body(&demands[index])
        if demands[index].waiter != nil, demands[index].isReady, let waiter = demands[index].waiter.take() {
            woken.append(waiter)
        }
    }

    /// Changes each demand.
    mutating func changeAll(_ body: (inout Demand) -> Void) {
        for index in demands.indices { change(at: index, body) }
    }

    private func index(of id: UInt64) -> Int? { demands.firstIndex { $0.id == id } }

    /// The demand with this id, if it is still there.
    func demand(_ id: UInt64) -> Demand? { index(of: id).map { demands[$0] } }

    /// The clients that have to be told that there is something for them now.
    mutating func takeWoken() -> [Reply<Bool>] { exchange(&woken, with: []) }

    /// A frame that needs no waiting: encoded already, and fresh enough.
    mutating func ready(_ wish: FrameWish, slept: Duration, now: MonotonicTime) -> FrameDelivery? {
        // A clock that stood still during a suspend cannot tell how old a frame from before it is.
        guard let newest, slept - newest.slept <= FrameHub.nap, serves(wish),
            let frame = rendered[Order(key: newest.key, rendition: wish.rendition)]
        else { return nil }
        let demand = Demand(id: 0, wish, .still, place: nil)
        guard demand.objection(to: frame.stamp, key: newest.key, now: now, stallLimit: stallLimit) == nil,
            settling.isGoodEnough(newest.key, for: wish, at: now)
        else { return nil }
        requestLooks(in: newest.key, wish)
        if wish.opens { lastUse = now }
        return FrameDelivery(frame, isSettled: settling.isSettled(frame.key))
    }

    /// Whether any client waits for a frame that has not been taken yet: what a closed device has to be opened for.
    var isAwaited: Bool { demands.contains { $0.isOpen && $0.opens } }

    /// Whether no client wants a frame, nor is one being made of several.
    var isIdle: Bool { demands.isEmpty && renderings.isEmpty }

    /// Whether any client waits for a frame or for its encode.
    var isPending: Bool { demands.contains { $0.isPending } }

    /// Whether frames of the stream that runs can be what is wished.
    func serves(_ wish: FrameWish) -> Bool {
        switch kind {
        case .usual: !wish.isLargest
        case .largest: wish.isLargest
        case .both: true
        }
    }
}

/// Pictures that are the mean of several frames in a row.
///
/// A series begins with a frame that does for a waiting client, and takes every frame that comes after it until it has
/// enough; all who want the same of the same first frame share it. A frame that the driver dropped is just not in it. One
/// that turns out damaged is counted as passed over, and the next takes its place. Where the device is closed in between,
/// for any reason, it starts again with the next frame that does.
extension DemandTable {
    /// Begins a rendering, and returns what has to be made for it: where several frames are averaged, the first part.
    mutating func begin(_ order: Order, _ stamp: FrameStamp) -> Rendition {
        renderings[order] = Rendering()
        guard order.rendition.average > 1 else { return order.rendition }
        let average = FrameAverage(count: order.rendition.average, first: stamp)
        renderings[order]?.series = FrameSeries(average: average, newest: order.key)
        return order.rendition.part(of: average)
    }

    /// What has to be made of a frame for the series that have begun with earlier ones.
    mutating func continueSeries(with key: FrameKey) -> [Rendition] {
        var wanted: [Rendition] = []
        for (order, rendering) in renderings {
            guard let series = rendering.series, key > series.newest, series.taken < order.rendition.average else {
                continue
            }
            renderings[order]?.series?.taken += 1
            renderings[order]?.series?.newest = key
            wanted.append(order.rendition.part(of: series.average))
        }
        return wanted
    }

    /// The rendering that a part is of; nil where no client waits for it any more.
    func order(of average: FrameAverage) -> Order? { renderings.first { $0.value.series?.average == average }?.key }

    /// One frame of a series has turned out damaged: the next takes its place.
    mutating func partWasDamaged(_ order: Order, _ error: ImagingError, now: MonotonicTime) -> Finish {
        renderings[order]?.series?.taken -= 1
        for id in renderings[order]?.demands ?? [] { change(id) { $0.partWasDamaged(order.key, error) } }
        return error.skipReason == .corrupt ? recordDamage(now: now) : .passedOver
    }

    /// Has all who wait for a series wait for a frame to begin with: no more frames of this stream will come.
    mutating func breakSeries() {
        for (order, rendering) in renderings where rendering.series != nil {
            renderings[order] = nil
            for id in rendering.demands { change(id) { $0.lose(order.key) } }
        }
    }
}

/// Frames in a row that become one picture, while not all of them have come.
struct FrameSeries {
    /// What the encoding threads add them up in.
    let average: FrameAverage
    /// How many have come that have not turned out damaged.
    var taken = 1
    /// The last of them.
    var newest: FrameKey
}

/// No frame comes.
extension DemandTable {
    /// No frame comes for the demands that wait for one.
    mutating func fail(_ problem: Problem) {
        for index in demands.indices where closing != nil || !demands[index].plan.isSubscription {
            change(at: index) { $0.fail(problem) }
        }
    }

    /// The camera is stopped: the same, and those whose frame is being encoded do not get it either.
    mutating func abandon(_ problem: Problem) {
        breakSeries()
        for index in demands.indices where !demands[index].plan.isSubscription {
            change(at: index) { $0.abandon(problem) }
        }
        // The encode goes on; its result reaches no client but subscriptions.
        let subscriptions = Set(demands.lazy.filter(\.plan.isSubscription).map(\.id))
        for order in renderings.keys { renderings[order]?.demands.removeAll { !subscriptions.contains($0) } }
    }

    /// The session has ended: no demand gets a frame any more, neither one that waits nor one that is added.
    mutating func close(_ problem: Problem) {
        closing = problem
        breakSeries()
        fail(problem)
    }

    /// The newest frame is gone: its device is closed, or it was taken behind a closed shutter.
    mutating func forgetFrames() {
        newest = nil
        rendered.removeAll()
        breakSeries()
    }
}

/// Settling, as waiting clients see it.
extension DemandTable {
    /// Whether a client waits for settling.
    func isSettlingAwaited(at now: MonotonicTime) -> Bool {
        demands.contains { $0.isOpen && settling.isAwaited(by: $0.wish, at: now) }
    }

    /// Whether the next frame is worth a look.
    func wantsLook(at now: MonotonicTime) -> Bool {
        guard settling.settledFrom == nil else { return false }
        return settling.looksLeft > 0 || isSettlingAwaited(at: now)
    }

    /// When the next waiting client gives up on settling; nil if none will.
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
