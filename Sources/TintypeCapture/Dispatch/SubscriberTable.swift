// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSystem

/// Subscribers of one camera, oldest first.
struct SubscriberTable {
    private(set) var all: [Subscriber] = []
    /// Problem for every subscriber after the session has ended.
    private(set) var closing: Problem?
    private var nextID: UInt64 = 1
    private var woken: [TaskWaker] = []

    /// Adds a subscriber and returns its id; after the end of the session it fails at once.
    mutating func add(_ criteria: FrameCriteria, place: RequestLimiter.Place?, _ waker: TaskWaker) -> UInt64 {
        var subscriber = Subscriber(id: nextID, criteria, place: closing == nil ? place : nil, waker)
        nextID += 1
        if let closing { subscriber.fail(closing) }
        all.append(subscriber)
        return subscriber.id
    }

    mutating func remove(_ id: UInt64) -> Subscriber? { index(of: id).map { all.remove(at: $0) } }

    mutating func renew(_ id: UInt64, _ criteria: FrameCriteria) {
        guard let index = index(of: id) else { return }
        all[index].renew(criteria)
        if let closing { all[index].fail(closing) }
    }

    private func index(of id: UInt64) -> Int? { all.firstIndex { $0.id == id } }

    subscript(id: UInt64) -> Subscriber? { index(of: id).map { all[$0] } }

    @discardableResult
    mutating func change<R>(_ id: UInt64, _ body: (inout Subscriber) -> R) -> R? {
        index(of: id).map { change(at: $0, body) }
    }

    /// Changes a subscriber, and wakes its client if it has a new step.
    @discardableResult
    mutating func change<R>(at index: Int, _ body: (inout Subscriber) -> R) -> R {
        let wasReady = all[index].isReady
        defer { if !wasReady, all[index].isReady { woken.append(all[index].waker) } }
        return body(&all[index])
    }

    mutating func changeAll(_ body: (inout Subscriber) -> Void) { for index in all.indices { change(at: index, body) } }

    /// Clients that have a new step since the last call.
    mutating func takeWoken() -> [TaskWaker] { exchange(&woken, with: []) }

    /// Fails the subscribers that live until a failure of the camera, or all once the session has ended.
    mutating func fail(_ problem: Problem) {
        changeAll { [closing] subscriber in
            if closing != nil || subscriber.criteria.lifetime == .untilFailure { subscriber.fail(problem) }
        }
    }

    mutating func failLargest(_ problem: Problem) { changeAll { if $0.criteria.isLargest { $0.fail(problem) } } }

    /// Fails the subscribers that live until a stop by command, also those whose frame is being encoded.
    mutating func abandon(_ problem: Problem) {
        changeAll { if $0.criteria.lifetime != .untilEnd { $0.abandon(problem) } }
    }

    /// Fails all current and future subscribers.
    mutating func close(_ problem: Problem) {
        closing = problem
        fail(problem)
    }
}

/// Summary of all subscribers, by which the session opens and closes the camera and changes its size.
struct CameraNeed: Hashable {
    /// True while a client that opens the camera waits for a frame not taken yet; a closed device is opened for it.
    var isAwaited = false
    /// True while such a client waits that survives failures; the device is retried for it.
    var isAwaitedThroughFailure = false
    /// True while a client waits that a failure would fail; a due attempt is not delayed for it.
    var isUrgent = false
    /// True while a client waits for a frame or its encoding, or an examination, burst or live stream runs.
    var isInDemand = false
    /// True while a client waits for a frame of the usual size that has not been taken.
    var awaitsUsual = false
    /// True while a client waits for a full-size frame that has not been taken.
    var awaitsLargest = false
    /// True while a client waits for a full-size frame or its encoding.
    var isLargestInDemand = false
    /// True while a burst of consecutive frames without gaps is being taken.
    var isInBurst = false
    /// Number of disconnected clients: a camera opened only for one of them is closed then.
    var gone = 0

    mutating func add(_ subscriber: Subscriber) {
        let (criteria, isOpen, isPending) = (subscriber.criteria, subscriber.isOpen, subscriber.isPending)
        if isOpen, !criteria.allowsGaps { isInBurst = true }
        if criteria.isLargest {
            awaitsLargest = awaitsLargest || isOpen
            isLargestInDemand = isLargestInDemand || isPending
        } else if isOpen, criteria.lifetime != .untilEnd {
            awaitsUsual = true
        }
        guard criteria.opens else { return }
        isInDemand = isInDemand || isPending
        isAwaited = isAwaited || isOpen
        if criteria.lifetime == .untilFailure {
            isUrgent = isUrgent || isPending
        } else {
            isAwaitedThroughFailure = isAwaitedThroughFailure || isOpen
        }
    }

    /// The part whose changes wake the session, which polls for the rest if it `outlastsClients`.
    func news(outlastsClients: Bool) -> CameraNeed {
        CameraNeed(
            isAwaited: isAwaited || outlastsClients,
            isInDemand: isInDemand || outlastsClients,
            awaitsLargest: awaitsLargest,
            isLargestInDemand: isLargestInDemand,
            gone: gone
        )
    }
}
