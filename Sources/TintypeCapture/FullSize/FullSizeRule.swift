// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum FullSizeRule {
    /// Maximum time that clients of the usual size are kept waiting.
    static let longest = Duration.seconds(30)

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
        case refuse(Refusal)
        case interrupt
    }

    static func step(for stream: CaptureStream, _ need: CameraNeed, allowsGap: Bool, now: MonotonicTime) -> Step {
        if stream.isFullSize {
            guard need.isLargestInDemand else { return .returnToUsual }
            return now - stream.began > longest ? .giveUp : .nothing
        }
        // A stream of the largest size serves all clients.
        guard stream.hasGivenFrame, need.awaitsLargest, !stream.isLargest else { return .nothing }
        guard allowsGap else { return .refuse(.forbidden) }
        return need.isInBurst ? .refuse(.burst) : .interrupt
    }
}
