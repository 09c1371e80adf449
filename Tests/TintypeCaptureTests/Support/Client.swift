// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeModel

@testable import TintypeCapture

/// A client waiting for one frame of a dispatcher, and its answer.
final class Client {
    let frames: FrameSubscription?
    private var step: FrameSubscription.Step?

    /// Starts waiting; fails at once if there is no free place.
    init(_ dispatcher: FrameDispatcher, _ criteria: FrameCriteria) {
        do throws(Problem) {
            frames = dispatcher.subscribe(criteria, in: try dispatcher.limiter.enter())
        } catch {
            frames = nil
            step = .failed(error)
        }
    }

    /// The answer, or nil while waiting.
    var answer: Result<EncodedImage, Problem>? {
        step = step ?? frames?.step()
        return step?.delivery.map { .success($0.image) } ?? step?.problem.map { .failure($0) }
    }

    /// Stops waiting and returns the skipped frames.
    @discardableResult
    func leave(isGone: Bool = false) -> [SkipReason: Int] {
        let passed = frames?.close(isGone: isGone)
        return step?.delivery?.skipped ?? passed?.skipped ?? [:]
    }
}

extension FrameSubscription {
    /// The next step, if available without waiting.
    func step() -> Step? { dispatcher.step(of: id) }
}

extension FrameSubscription.Step {
    var delivery: FrameDelivery? { if case .frame(let delivery) = self { delivery } else { nil } }
    var problem: Problem? { if case .failed(let problem) = self { problem } else { nil } }
}

extension FrameDispatcher {
    /// Number of clients waiting for a future frame.
    var awaited: Int { state.withLock { $0.subscribers.all.count(where: \.isOpen) } }

    /// Number of clients whose frame is being encoded.
    var encoding: Int { state.withLock { $0.subscribers.all.count(where: \.queue.isEncoding) } }

    /// True if `count` clients wait for an image, and none for another frame.
    func isEncoding(_ count: Int) -> Bool { !need.isAwaited && encoding == count }

    /// Subscribes to the frames of a dispatcher that holds none.
    func subscribe(
        _ criteria: FrameCriteria,
        in place: RequestLimiter.Place? = nil,
        ifStopped stops: Int? = nil
    ) -> FrameSubscription {
        var criteria = criteria
        criteria.stops = stops
        return subscribe(criteria, in: place) { _, _ in }
    }
}
