// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What is done next about stills of the largest size, while a device streams.
enum FullSizeRule {
    /// Others wait for so long at most.
    static let longest = Duration.seconds(30)

    /// What clients want of the camera.
    struct Demand: Hashable {
        /// Whether one waits for a frame of the largest size that has not been taken yet.
        var awaitsLargest = false
        /// The same, or for what is made of one.
        var isLargestInDemand = false
        /// Whether consecutive frames are being taken, with none left out.
        var isInBurst = false
    }

    /// Why the stream may not be interrupted.
    enum Refusal: Hashable {
        /// The configuration forbids it.
        case forbidden
        /// A burst is being taken.
        case burst
    }

    /// What is to be done.
    enum Step: Hashable {
        /// Nothing, or nothing yet.
        case nothing
        /// Clients have their pictures: the stream gets its usual size again.
        case returnToUsual
        /// It has taken too long: clients are told, and the stream gets its usual size again.
        case giveUp
        /// The device has to say which its largest size is, once a stream.
        case askWhetherUsualIsLargest
        /// The stream has that size: its frames are for everybody.
        case serveFromStream
        /// Clients are told that there will be no such still.
        case refuse(Refusal)
        /// The stream is interrupted.
        case interrupt
    }

    /// What is to be done about `stream` now.
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
