// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What stills have to do with settling.
extension StillOutput {
    /// The share of its time that a still has for its frame at least, however long exposure takes to settle.
    private static let share = 2
    /// And the time that it has for that where the share is longer.
    private static let reserve = Duration.milliseconds(200)

    /// Until when a request waits for settled frames where that is not all that counts: so long before its deadline that
    /// two more frames can come and be encoded.
    func settleLimit(of request: StillRequest, _ requestedAt: MonotonicTime) -> MonotonicTime {
        let interval = session.hub.snapshot.format?.interval?.duration ?? .zero
        let reserve = min(request.deadline / Self.share, Self.reserve + interval * 2)
        return requestedAt + request.deadline - reserve
    }

    /// The parts of a still's time: none of them is in another.
    ///
    /// - Parameters:
    ///   - open: opening the device for it.
    ///   - settle: how long its frame was held back for settling alone.
    ///   - waited: from the request to its frame.
    ///   - encode: encoding the frame, or copying it, and looking at it.
    /// - Returns: these parts, and what is left of the wait.
    static func phases(_ open: Duration, _ settle: Duration, _ waited: Duration, _ encode: Duration) -> StillPhases {
        StillPhases(open: open, settle: settle, wait: max(.zero, waited - open - settle), encode: encode)
    }

    /// What is told at the deadline to a client that wants settled frames only; nil where something else kept them
    /// away.
    func unsettled(_ request: StillRequest, _ skipped: [SkipReason: Int], _ passedOver: String) -> Problem? {
        guard request.settle == .always, skipped[.unsettled] != nil else { return nil }
        let usual = session.status.latency.settling.map {
            " After its last \($0.count) starts that took \(HumanDuration.text($0.medianMs.duration)) as a rule, "
                + "\(HumanDuration.text($0.worstMs.duration)) at worst."
        }
        return Problem(
            .deadlineExceeded,
            "Exposure and white balance of the camera \(session.name) have not settled within "
                + "\(SpokenDuration.text(request.deadline)) (\(passedOver)).\(usual ?? "")",
            remedy: "Allow more time (deadlineMs) or pictures that are not settled (settle auto or never).",
            retryAfter: .seconds(1)
        )
    }
}
