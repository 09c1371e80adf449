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
        /// Ask the device for its largest size, once for each stream.
        case askWhetherUsualIsLargest
        /// Serve all clients from the stream, which already has the largest size.
        case serveFromStream
        case refuse(Refusal)
        case interrupt
    }

    static func step(for stream: CaptureStream, _ need: CameraNeed, allowsGap: Bool, now: MonotonicTime) -> Step {
        if stream.isFullSize {
            guard need.isLargestInDemand else { return .returnToUsual }
            return now - stream.began > longest ? .giveUp : .nothing
        }
        guard stream.hasGivenFrame, need.awaitsLargest else { return .nothing }
        guard let isUsualFullSize = stream.isUsualFullSize else { return .askWhetherUsualIsLargest }
        if isUsualFullSize { return .serveFromStream }
        guard allowsGap else { return .refuse(.forbidden) }
        return need.isInBurst ? .refuse(.burst) : .interrupt
    }
}
