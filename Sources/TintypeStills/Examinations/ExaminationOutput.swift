// SPDX-License-Identifier: Apache-2.0
package import TintypeCapture
internal import TintypeDevice
internal import TintypeFrames
internal import TintypeImaging
package import TintypeModel
internal import TintypeThreads

/// Watches one camera for a few frames, as a client that takes stills sees it, and tells what came.
///
/// It takes stills one after the other and decodes them on a thread that lives as long as the examination; nothing of
/// it is there while no client examines.
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
    ///
    /// - Parameters:
    ///   - request: how long to watch.
    ///   - status: what is known of the camera before.
    ///   - quality: the JPEG quality of the stills; that of the camera, so that others share their encode.
    /// - Returns: what was seen.
    package func examine(_ request: ExaminationRequest, of status: CameraStatus, quality: Int) async -> Examination {
        var watch = ExaminationWatch(request, session.hub.snapshot, at: clock.now)
        let stops = session.hub.stops
        session.hub.beginWatch()
        defer { session.hub.endWatch(isGone: Task.isCancelled) }
        await follow(&watch, request, quality, stops)
        return watch.examination(of: status, session.hub.snapshot, at: clock.now)
    }

    /// Takes stills until enough frames have come, and until the camera is stopped: a further still would open it
    /// again.
    private func follow(
        _ watch: inout ExaminationWatch,
        _ request: ExaminationRequest,
        _ quality: Int,
        _ stops: Int
    ) async {
        let decoder = WorkerThreads(name: "tt-examine", count: 1) { ExaminationDecoder() }
        let stills = StillOutput(session: session)
        let deadline = watch.began + request.deadline
        while !watch.isComplete(session.hub.snapshot) {
            let now = clock.now
            guard now < deadline else { return }
            watch.failure = session.hub.stop(since: stops)
            if watch.failure != nil { return }
            let wanted = StillRequest(
                fresh: .next,
                deadline: min(deadline - now, Self.step),
                settle: .never,
                // A picture with a fault in its data is to be counted, not waited over.
                integrity: .tolerant,
                rendering: StillRendering(quality: quality),
                keep: false
            )
            let still: Still
            do throws(Problem) {
                still = try await stills.take(wanted, after: nil, requestedAt: clock.now, ifStopped: stops).still
            } catch {
                guard watch.goesOn(after: error, session.hub.snapshot, at: clock.now), !Task.isCancelled else { return }
                continue
            }
            watch.recordStill(session.hub.snapshot, at: clock.now)
            do throws(Problem) {
                watch.pictures = try await decoder.perform(until: deadline, by: clock, otherwise: Self.undecoded) {
                    $0.add(still.picture)
                }
            } catch {
                // A frame that has come, and that was not decoded in time, is no trouble of the camera's.
                return
            }
        }
    }

    private static let undecoded = Problem(
        .deadlineExceeded,
        "The pictures were not decoded in time.",
        remedy: "Allow more time (deadlineMs)."
    )
}

/// Decodes the pictures of one examination.
struct ExaminationDecoder: ~Copyable {
    private var statistics = LumaStatistics()
    private var decoder = JPEGDecoder()

    /// Adds a picture and returns what is known of all so far.
    mutating func add(_ picture: [UInt8]) -> PictureTally {
        do throws(ImagingError) {
            statistics.add(try decoder.decodeLuma(picture.rawSpan).luma)
        } catch {
            statistics.addCorrupt()
        }
        return statistics.tally
    }
}
