// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

/// Examines one camera by consecutive stills, as a client sees it; concurrent examinations share frames and encodes.
package struct ExaminationOutput: Sendable {
    private let session: CaptureSession
    private var clock: any MonotonicClock { session.clock }
    /// Timeout of one still, after which the frames are counted again: no still comes if all frames are damaged.
    private static let step = Duration.milliseconds(500)

    package init(session: CaptureSession) { self.session = session }

    /// Examines the camera until the driver has delivered `request.frames`, the deadline passes or a permanent failure
    /// occurs.
    ///
    /// The camera stays open meanwhile, whatever its warmth, and other clients can take stills. Suspends, never blocks.
    /// Never throws: a failure is part of the result.
    package func examine(_ request: ExaminationRequest) async -> Examination {
        var watch = ExaminationWatch(request, session.published.snapshot, at: clock.now)
        let stops = session.dispatcher.stops.count
        session.dispatcher.beginWatch()
        defer { session.dispatcher.endWatch(isGone: Task.isCancelled) }
        await follow(&watch, request, stops)
        return watch.examination(of: session.name, session.published.snapshot, at: clock.now)
    }

    /// Takes stills until enough frames have arrived or the camera is stopped; another still would reopen it.
    private func follow(_ watch: inout ExaminationWatch, _ request: ExaminationRequest, _ stops: Int) async {
        let stills = StillOutput(session: session)
        let deadline = watch.began + request.deadline
        var last: FrameKey?
        while !watch.isComplete(session.published.snapshot) {
            let now = clock.now
            guard now < deadline else { return }
            watch.failure = session.dispatcher.stops.problem(since: stops)
            if watch.failure != nil { return }
            let wanted = StillRequest(
                fresh: .next,
                deadline: min(deadline - now, Self.step),
                settle: .never,
                // A fault that all pictures of this camera have is not damage.
                integrity: session.knownFaults.tolerance?.allSatisfy(\.quirk.isRepairable) ?? true
                    ? .strict : .tolerant,
                keep: false
            )
            do throws(Problem) {
                let (still, key) = try await stills.take(wanted, after: last, requestedAt: now, ifStopped: stops)
                last = key
                watch.record(still.record.appearance ?? [], session.published.snapshot, at: clock.now)
            } catch {
                guard watch.goesOn(after: error, session.published.snapshot, at: clock.now), !Task.isCancelled else {
                    return
                }
            }
        }
    }
}
