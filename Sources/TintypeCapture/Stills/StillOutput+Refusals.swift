// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

extension StillOutput {
    /// Throws if no frame will come: a driver call hangs, or nobody opens the camera.
    func refuseIfHopeless(_ criteria: FrameCriteria) throws(Problem) {
        if let stuck = context.hopelessProblem { throw stuck }
        guard !criteria.opens else { return }
        let state = session.published.snapshot.state
        if state == .off {
            throw Problem(
                .cameraOff,
                "The camera \(session.name) is off, and the request does not open it.",
                remedy: "Leave out open=false, or ask again while the camera runs."
            )
        }
        if criteria.lifetime == .untilFailure, state.name == .failed, let reason = state.reason { throw reason }
    }

    func overdue(_ request: StillRequest, _ passed: PassedFrames) -> Problem {
        let skipped = passed.skipped
        let seen = skipped.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        let passedOver = seen.isEmpty ? "no frame came" : "passed over: \(seen.joined(separator: ", "))"
        // A frame that began before the request is no sign that intact ones come in time, nor is one without a
        // timestamp, which the driver may have kept from before.
        let damaged = [SkipReason.flagged, .short, .corrupt].reduce(0) { $0 + (skipped[$1] ?? 0) }
        let other = skipped.values.reduce(0, +) - damaged - (skipped[.undated] ?? 0)
        if damaged > other { return corruptOnly(request, passed.faults, passedOver) }
        if let rejected = rejected(request, skipped, passedOver) { return rejected }
        if let unsettled = unsettled(request, skipped, passedOver) { return unsettled }
        let snapshot = session.published.snapshot
        // During a retry only the previous attempt has a reason.
        let failed = snapshot.failure.flatMap { session.clock.now - $0.at < request.deadline ? $0.reason : nil }
        let reason = snapshot.state.reason ?? failed
        // A camera that delivers frames is late, or its frames are too old; a camera that has failed since delivers
        // none.
        let fault = reason.flatMap { $0.code == .cameraFault && (seen.isEmpty || failed != nil) ? $0 : nil }
        return Problem(
            fault?.code ?? .deadlineExceeded,
            "The camera \(session.name) gave no picture as fresh as asked within "
                + "\(SpokenDuration.text(request.deadline)) (\(passedOver)).\(reason.map { " " + $0.detail } ?? "")",
            remedy: fault?.remedy
                ?? "Allow more time (deadlineMs) or an older picture (fresh), and see “tintype status”.",
            retryAfter: .seconds(1)
        )
    }

    /// Problem at the deadline if no frame was intact enough, with the faults found and their counts.
    private func corruptOnly(_ request: StillRequest, _ faults: [PictureFault: Int], _ passedOver: String) -> Problem {
        let sorted = faults.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        let seen = sorted.map { "\($0.value) \($0.key.rawValue)" }
        let wrong = seen.isEmpty ? "" : "; looked at: \(seen.joined(separator: ", "))"
        let quirks = (session.knownFaults.tolerance ?? []).map(\.quirk).filter { !$0.isRepairable }
        let names = quirks.map(\.rawValue).joined(separator: ", ")
        let remedy =
            if !quirks.isEmpty, request.integrity == .strict {
                "Pictures of this camera always have it (\(names)): ask for integrity “tolerant”."
            } else if sorted.first?.key == .overwritten {
                "Load v4l2loopback with more buffers (max_buffers=8), or feed it more slowly."
            } else {
                "See the daemon's log for what is wrong with them, and check the camera's cable and USB hub."
            }
        return Problem(
            .corruptOnly,
            "The camera \(session.name) gave only damaged pictures within \(SpokenDuration.text(request.deadline)) "
                + "(\(passedOver)\(wrong)).",
            remedy: remedy,
            retryAfter: .seconds(1)
        )
    }

    func rejected(_ request: StillRequest, _ skipped: [SkipReason: Int], _ passedOver: String) -> Problem? {
        let causes = ImageDefect.allCases.compactMap { look -> (cause: SignalFault, count: Int)? in
            guard let reason = SkipReason(rawValue: look.rawValue), let count = skipped[reason] else { return nil }
            return SignalFault(rawValue: look.rawValue).map { ($0, count) }
        }
        guard let cause = causes.max(by: { $0.count < $1.count })?.cause else { return nil }
        return Problem(
            .noSignal,
            "The camera \(session.name) gave only pictures that are \(cause.rawValue) within "
                + "\(SpokenDuration.text(request.deadline)) (\(passedOver)).",
            remedy: "Check the camera's lens, its light and its source, or leave reject out.",
            retryAfter: .seconds(1),
            cause: cause
        )
    }

    /// Problem at the deadline of a client with settle policy `always`; nil if no frame was skipped for settling.
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
