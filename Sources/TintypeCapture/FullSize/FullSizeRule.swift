// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum FullSizeRule {
    /// Maximum time that clients of the usual size are kept waiting.
    static let longest = Duration.seconds(30)

    /// Frame requests that matter for full-size stills.
    struct Demand: Hashable {
        /// True while a client waits for a full-size frame that has not been taken.
        var awaitsLargest = false
        /// True while a client waits for a full-size frame or its encoding.
        var isLargestInDemand = false
        /// True while a burst of consecutive frames without gaps is being taken.
        var isInBurst = false
    }

    enum Refusal: Hashable {
        case forbidden
        case burst
    }

    enum Step: Hashable {
        case nothing
        /// Return to the usual size: all clients have their pictures.
        case returnToUsual
        /// Fail the full-size clients after a timeout, and return to the usual size.
        case giveUp
        /// Ask the device for its largest size, once for each stream.
        case askWhetherUsualIsLargest
        /// Serve all clients from the stream, which already has the largest size.
        case serveFromStream
        case refuse(Refusal)
        case interrupt
    }

    static func step(for stream: CaptureStream, _ demand: Demand, allowsGap: Bool, now: MonotonicTime) -> Step {
        if stream.isFullSize {
            guard demand.isLargestInDemand else { return .returnToUsual }
            return now - stream.began > longest ? .giveUp : .nothing
        }
        guard stream.hasGivenFrame, demand.awaitsLargest else { return .nothing }
        guard let isUsualFullSize = stream.isUsualFullSize else { return .askWhetherUsualIsLargest }
        if isUsualFullSize { return .serveFromStream }
        guard allowsGap else { return .refuse(.forbidden) }
        return demand.isInBurst ? .refuse(.burst) : .interrupt
    }
}
