// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension StillOutput {
    /// What is told at the deadline where frames came and `reject` refused what they look like; nil where it refused none.
    func rejected(_ request: StillRequest, _ skipped: [SkipReason: Int], _ passedOver: String) -> Problem? {
        let causes = Appearance.allCases.compactMap { look -> (cause: SignalFault, count: Int)? in
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
}
