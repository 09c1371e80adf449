// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

/// The frames of one client, for one task, which must call ``close(isGone:)`` at the end; suspends, never blocks.
package struct FrameSubscription: Sendable {
    package enum Step: Sendable {
        case frame(FrameDelivery)
        case end(skipped: [SkipReason: Int])
        case failed(Problem)
    }

    /// Makes an image of a frame, and passes it to ``FrameDispatcher/finish(_:_:_:)``.
    typealias Encode = @Sendable (Frame, EncodingOptions) -> Void

    let dispatcher: FrameDispatcher
    let id: UInt64
    let waker: TaskWaker
    let encode: Encode

    /// Waits for the next step until `moment`; nil on timeout, a problem with code `stopping` if the task is cancelled.
    package func next(until moment: MonotonicTime) async -> Step? {
        while true {
            if let step = dispatcher.step(of: id) { return step }
            if Task.isCancelled { return .failed(.requestAbandoned) }
            guard dispatcher.clock.now < moment else { return nil }
            await waker.sleep(until: moment)
        }
    }

    package var lastUnwanted: MonotonicTime {
        dispatcher.state.withLock { $0.subscribers[id]?.lastUnwanted } ?? MonotonicTime.never
    }

    package var passedOver: PassedFrames {
        dispatcher.state.withLock { $0.subscribers[id]?.queue.passedOver } ?? PassedFrames()
    }

    /// Returns the frames skipped since the last call; deliveries have them, too.
    package func takeUncounted() -> [SkipReason: Int] {
        dispatcher.change { state in state.subscribers.change(id) { $0.queue.takeUncounted() } ?? [:] }
    }

    /// Requests no further frame; frames already taken are still delivered.
    package func end() { dispatcher.change { state in state.subscribers.change(id) { $0.end() } } }

    /// Returns the frames skipped since the last delivery; `isGone`: the client has disconnected, so that a camera
    /// opened only for it is closed.
    @discardableResult
    package func close(isGone: Bool) -> PassedFrames { dispatcher.remove(id, isGone: isGone) }
}

extension CaptureSession {
    /// Subscribes as ``FrameDispatcher/subscribe(_:in:encode:)``; any thread.
    package func frames(_ criteria: FrameCriteria, in place: RequestLimiter.Place?) -> FrameSubscription {
        dispatcher.subscribe(criteria, in: place) { [encoder = context.encoder] frame, options in
            encoder.encode(frame, as: options, mayCopyHere: true)
        }
    }
}

package struct FrameDelivery: Sendable {
    package let image: EncodedImage
    package var skipped: [SkipReason: Int] = [:]
    /// Delay of the first frame caused by settling alone; zero for later frames.
    package var settleDelay = Duration.zero
    /// True if exposure and white balance had settled at this frame; nil if that was not analysed.
    package var isSettled: Bool?
    /// The last opening of the camera when the frame was taken; nil for a frame delivered without waiting.
    package var opening: SessionSnapshot.Opening?
}

package struct PassedFrames: Hashable, Sendable {
    package var skipped: [SkipReason: Int] = [:]
    package var faults: [PictureFault: Int] = [:]

    mutating func count(_ reason: SkipReason, _ count: Int = 1) { skipped[reason, default: 0] += count }

    // Without a new dictionary where there is nothing to forget, as for most frames.

    mutating func forgetSkipped() { if !skipped.isEmpty { skipped = [:] } }
    mutating func forgetFaults() { if !faults.isEmpty { faults = [:] } }

    mutating func uncount(_ reason: SkipReason) {
        guard let count = skipped[reason] else { return }
        skipped[reason] = count > 1 ? count - 1 : nil
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

    /// Reason why a frame does not match, nil if it does.
    ///
    /// `admission` is the newest buffer dequeued when the driver's queue was first seen empty after the request.
    func objection(
        to stamp: FrameStamp,
        admission: FrameKey?,
        now: MonotonicTime,
        limits: FrameLimits
    ) -> SkipReason? {
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
            // Exposure of the first buffer after the queue was seen empty may precede the request; that of the second
            // cannot.
            guard let admission else { return .undated }
            return stamp.stream == admission.stream && stamp.ordinal < admission.ordinal + 2 ? .undated : nil
        }
    }
}

/// Limits the number of requests that wait for the same thing, such as frames of one camera: there is no queue, a
/// request without a free place is rejected at once and may be repeated; any thread, never blocks.
///
/// One client (``RequestClient``) has at most a quarter of the places, so that it cannot keep out the others.
package final class RequestLimiter: Sendable {
    package static let placesOfCamera = 1024

    private struct Count {
        var all = 0
        /// Without the daemon's own requests.
        var byClient: [String: Int] = [:]
    }

    private let purpose: String
    private let places: Int
    private let count = Mutex(Count())

    /// Requests that `purpose`, as in “wait for a frame”.
    package init(for purpose: String, places: Int) { (self.purpose, self.places) = (purpose, places) }

    package var taken: Int { count.withLock(\.all) }

    /// Occupies a place until the last reference to it is released; throws `too-many-requests` with the limit.
    package func enter() throws(Problem) -> Place {
        let client = RequestClient.current
        let obstacle = count.withLock { count -> String? in
            let own = client.map { count.byClient[$0, default: 0] } ?? 0
            if client != nil, own >= places / 4 { return "\(own) requests of this client" }
            guard count.all < places else { return "\(places) requests" }
            count.all += 1
            if let client { count.byClient[client] = own + 1 }
            return nil
        }
        if let obstacle {
            throw Problem(
                .tooManyRequests,
                "\(obstacle) \(purpose) already, and more may not.",
                remedy: "Ask again in a while; let many who want the same picture ask one that passes it on.",
                // A running camera frees places sooner.
                retryAfter: .seconds(1)
            )
        }
        return Place(self, client: client)
    }

    private func leave(_ client: String?) {
        count.withLock { count in
            count.all -= 1
            guard let client, let own = count.byClient[client] else { return }
            count.byClient[client] = own > 1 ? own - 1 : nil
        }
    }

    package final class Place: Sendable {
        private let limiter: RequestLimiter
        /// Nil for the daemon itself.
        let client: String?

        fileprivate init(_ limiter: RequestLimiter, client: String?) { (self.limiter, self.client) = (limiter, client) }

        deinit { limiter.leave(client) }
    }
}
