// SPDX-License-Identifier: Apache-2.0
import TintypeModel

@testable import TintypeCapture

/// A client that waits for one frame of a hub, and the answer that it has got.
final class Client {
    let feed: FrameFeed?
    private var step: FrameFeed.Step?

    /// Begins to wait; the answer is there at once where there is no place.
    init(_ hub: FrameHub, _ wish: FrameWish) {
        do throws(Problem) {
            feed = hub.open(.still, wish, in: try hub.room.enter())
        } catch {
            feed = nil
            step = .failed(error)
        }
    }

    /// The answer; nil while there is none.
    var answer: Result<Frame, Problem>? {
        step = step ?? feed?.step()
        return step?.delivery.map { .success($0.frame) } ?? step?.problem.map { .failure($0) }
    }

    /// Waits no longer, and returns what was passed over.
    @discardableResult
    func leave(isGone: Bool = false) -> [SkipReason: Int] {
        let passed = feed?.close(isGone: isGone)
        return step?.delivery?.skipped ?? passed?.skipped ?? [:]
    }
}

extension FrameFeed {
    /// The step that needs no waiting, if there is one.
    func step() -> Step? { hub.change { $0.table.take(id, orElse: nil) } }
}

extension FrameFeed.Step {
    var delivery: FrameDelivery? { if case .frame(let delivery) = self { delivery } else { nil } }
    var problem: Problem? { if case .failed(let problem) = self { problem } else { nil } }
}
