// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeSystem

/// Watches one camera for a few frames, as a client that takes stills sees it, and tells what came.
///
/// It takes stills one after the other, which say whether they are whole and what they look like: it needs no thread of
/// its own, and examinations that run at one time share frames and encodes.
package struct ExaminationOutput: Sendable {
    private let session: CaptureSession
    private var clock: any MonotonicClock { session.clock }
    /// How long one still is waited for before the frames are counted again: where all are damaged, none comes.
    private static let step = Duration.milliseconds(500)

    /// The examinations of `session`'s camera.
    package init(session: CaptureSession) { self.session = session }

    /// Watches until `request.frames` have come out of the driver, until its deadline, or until a failure that waiting
    /// does not mend; the camera is open until then, whatever its warmth, and clients that take stills meanwhile get
    /// them.
    ///
    /// Suspends, never blocks; never throws, for a failure is what it is asked for.
    package func examine(_ request: ExaminationRequest) async -> Examination {
        var watch = ExaminationWatch(request, session.hub.snapshot, at: clock.now)
        let stops = session.hub.stops
        session.hub.beginWatch()
        defer { session.hub.endWatch(isGone: Task.isCancelled) }
        await follow(&watch, request, stops)
        return watch.examination(of: session.name, session.hub.snapshot, at: clock.now)
    }

    /// Takes stills until enough frames have come, and until the camera is stopped: a further still would open it
    /// again.
    private func follow(_ watch: inout ExaminationWatch, _ request: ExaminationRequest, _ stops: Int) async {
        let stills = StillOutput(session: session)
        let deadline = watch.began + request.deadline
        var last: FrameKey?
        while !watch.isComplete(session.hub.snapshot) {
            let now = clock.now
            guard now < deadline else { return }
            watch.failure = session.hub.stop(since: stops)
            if watch.failure != nil { return }
            let wanted = StillRequest(
                fresh: .next,
                deadline: min(deadline - now, Self.step),
                settle: .never,
                // What all pictures of this camera have is no damage.
                integrity: session.quirks.tolerance == nil ? .strict : .tolerant,
                keep: false
            )
            do throws(Problem) {
                let (still, key) = try await stills.take(wanted, after: last, requestedAt: now, ifStopped: stops)
                last = key
                watch.record(still.record.appearance ?? [], session.hub.snapshot, at: clock.now)
            } catch {
                guard watch.goesOn(after: error, session.hub.snapshot, at: clock.now), !Task.isCancelled else { return }
            }
        }
    }
}
