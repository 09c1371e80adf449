// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Where the moments of flashes reach the calibration of a camera that runs; any thread, never blocks.
package final class FlashDesk: Sendable {
    private enum State {
        case closed
        case open(moments: [MonotonicTime])
    }

    private let state = Mutex(State.closed)

    /// A desk where no calibration runs.
    package init() {}

    /// Tells the calibration that runs when the light changed, in order; what was told before does not count any more.
    ///
    /// Throws `not-found` where none runs.
    package func tell(_ moments: [MonotonicTime], to camera: String) throws(Problem) {
        let isTold = state.withLock { state in
            guard case .open = state else { return false }
            state = .open(moments: moments)
            return true
        }
        guard !isTold else { return }
        throw Problem(
            .notFound,
            "No calibration of the camera \(camera) is running.",
            remedy: "Begin one (POST /v1/cameras/\(camera)/calibration), then flash, then tell the moments."
        )
    }

    /// A calibration of `camera` begins; throws `too-many-requests` where one runs.
    func open(for camera: String) throws(Problem) {
        let isOpened = state.withLock { state in
            guard case .closed = state else { return false }
            state = .open(moments: [])
            return true
        }
        guard !isOpened else { return }
        throw Problem(
            .tooManyRequests,
            "A calibration of the camera \(camera) is running already.",
            remedy: "Wait until it has ended.",
            retryAfter: .seconds(10)
        )
    }

    /// It has ended.
    func close() { state.withLock { $0 = .closed } }

    /// What was told; empty until then.
    var moments: [MonotonicTime] {
        state.withLock { state in if case .open(let moments) = state { moments } else { [] } }
    }
}
