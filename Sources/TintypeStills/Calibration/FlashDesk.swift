// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Where the moments of flashes reach the calibration of a camera that runs; any thread, never blocks.
package final class FlashDesk: Sendable {
    private enum State {
        case closed
        case open(since: MonotonicTime, moments: [MonotonicTime])
    }

    private let state = Mutex(State.closed)

    /// A desk where no calibration runs.
    package init() {}

    /// Tells the calibration that runs when the light changed, in order, up to `now`; what was told before does not count
    /// any more.
    ///
    /// Throws `not-found` where none runs, and `invalid-request` where a moment is not one at which it ran.
    package func tell(_ moments: [MonotonicTime], upTo now: MonotonicTime, to camera: String) throws(Problem) {
        let isWatched: Bool? = state.withLock { state in
            guard case .open(let since, _) = state else { return nil }
            guard moments.allSatisfy((since...max(since, now)).contains) else { return false }
            state = .open(since: since, moments: moments)
            return true
        }
        switch isWatched {
        case true?: return
        case false?:
            throw Problem(
                .invalidRequest,
                "A flash was not in the time for which the camera \(camera) has been watched.",
                remedy:
                    "Tell the times of flashes by the clock of the daemon's machine, and flash while the calibration runs.",
                field: "flashes"
            )
        case nil:
            throw Problem(
                .notFound,
                "No calibration of the camera \(camera) is running.",
                remedy: "Begin one (POST /v1/cameras/\(camera)/calibration), then flash, then tell the moments."
            )
        }
    }

    /// A calibration of `camera` begins at `now`; throws `too-many-requests` where one runs.
    func open(for camera: String, at now: MonotonicTime) throws(Problem) {
        let isOpened = state.withLock { state in
            guard case .closed = state else { return false }
            state = .open(since: now, moments: [])
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
        state.withLock { state in if case .open(_, let moments) = state { moments } else { [] } }
    }
}
