// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// How far a burst can be that the daemon takes: that tells only in the end, so this goes by the time that has passed.
struct BurstExpectation: Sendable {
    private let burst: Burst?
    /// The least time that it takes; nil where that is not known.
    private let least: Duration?

    /// What can be expected of `request`.
    ///
    /// - Parameters:
    ///   - request: what the daemon is asked for.
    ///   - interval: the time from one frame of the camera to the next, as its driver granted it; nil if not known.
    init(_ request: StillRequest, interval: Duration?) {
        burst = request.burst
        switch request.burst {
        case .count(let count, .zero):
            // The first may come at once, and none of them comes twice.
            least = interval.map { $0 * (count * request.average - 1) }
        case .span(_, let end, _): least = end
        case .count, nil: least = nil
        }
    }

    /// What is shown when so much time has passed.
    func state(after passed: Duration) -> (fraction: Double?, label: String) {
        // It counts up from nothing, so its first moment is 0 ms.
        let spoken = passed < .milliseconds(1) ? "0 ms" : SpokenDuration.text(passed)
        if case .count(let count, let every) = burst, every > .zero {
            let due = min(count, Int(passed / every) + 1)
            return (Double(due) / Double(count), "\(due)/\(count) due")
        }
        guard let least, least > .zero else { return (nil, spoken) }
        guard case .count = burst else { return (passed / least, spoken) }
        return (passed / least, "\(spoken) of at least \(SpokenDuration.text(least))")
    }
}
