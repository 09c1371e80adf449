// SPDX-License-Identifier: Apache-2.0
import TintypeModel

@testable import TintypeCapture

/// A client waiting for one frame of a dispatcher, and its answer.
final class Client {
    let feed: FrameFeed?
    private var step: FrameFeed.Step?

    /// Starts waiting; fails at once if there is no free place.
    init(_ dispatcher: FrameDispatcher, _ wish: FrameWish) {
        do throws(Problem) {
            feed = dispatcher.open(.still, wish, in: try dispatcher.room.enter())
        } catch {
            feed = nil
            step = .failed(error)
        }
    }

    /// The answer, or nil while waiting.
    var answer: Result<EncodedImage, Problem>? {
        step = step ?? feed?.step()
        return step?.delivery.map { .success($0.frame) } ?? step?.problem.map { .failure($0) }
    }

    /// Stops waiting and returns the skipped frames.
    @discardableResult
    func leave(isGone: Bool = false) -> [SkipReason: Int] {
        let passed = feed?.close(isGone: isGone)
        return step?.delivery?.skipped ?? passed?.skipped ?? [:]
    }
}

extension FrameFeed {
    /// The next step, if available without waiting.
    func step() -> Step? { dispatcher.change { $0.table.take(id, orElse: nil) } }
}

extension FrameFeed.Step {
    var delivery: FrameDelivery? { if case .frame(let delivery) = self { delivery } else { nil } }
    var problem: Problem? { if case .failed(let problem) = self { problem } else { nil } }
}
