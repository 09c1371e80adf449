// SPDX-License-Identifier: Apache-2.0
import TintypeModel

@testable import TintypeCapture
@testable import TintypeFrames

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
        switch step {
        case .frame(let delivery): return .success(delivery.frame)
        case .failed(let problem): return .failure(problem)
        case .end, nil: return nil
        }
    }

    /// Waits no longer, and returns what was passed over.
    @discardableResult
    func leave(isGone: Bool = false) -> [SkipReason: Int] {
        let passed = feed?.close(isGone: isGone)
        if case .frame(let delivery) = step { return delivery.skipped }
        return passed?.skipped ?? [:]
    }
}
