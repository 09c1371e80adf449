// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

extension Cameras {
    func record(_ request: ClipRequest, of name: String) async throws(Problem) -> Job {
        let asked = clock.now
        let camera = try await find(name)
        try checkReach(request.beforeMs.duration, of: camera)
        return try await record(request, of: camera, at: asked)
    }

    /// The time of the request counts from `asked`.
    func record(_ request: ClipRequest, of camera: Camera, at asked: MonotonicTime) async throws(Problem) -> Job {
        let (session, stops, spool) = (camera.session, camera.session.stopCount, try usableSpool(of: camera))
        let recorder = ClipRecorder(
            request: request,
            camera: camera.name,
            clock: clock,
            control: RecordingControl(request, from: asked, by: clock)
        ) { [clock] (id, size) throws(Problem) in
            try await spool.openRecording(id, size, until: clock.now + ClipRecorder.timeLimit)
        } open: { (start) throws(Problem) in
            var frames = camera.completed(StillRequest(integrity: .tolerant, keep: false))
            frames.deadline += session.extraWait
            return try await ClipFrames(session, frames, from: start, ifStopped: stops)
        }
        return try await recordings.record(recorder)
    }

    /// Throws a problem of `beforeMs` if the camera has no ring of this time.
    func checkReach(_ before: Duration, of camera: Camera) throws(Problem) {
        guard before > .zero else { return }
        let most = try camera.output.ring(for: "beforeMs").configuration.reach
        let wrong = "is longer than the ring of the camera \(camera.name): \(SpokenDuration.text(most))."
        let remedy = "Ask for less, or raise cameras.\(camera.name).ring.seconds in tintyped's configuration."
        if before > most { throw .invalid(field: "beforeMs", wrong, remedy: remedy) }
    }

    func usableSpool(of camera: Camera) throws(Problem) -> SpoolStore {
        let spool = try spools.spool(named: camera.spool)
        if spool.state.name == .unavailable, let reason = spool.state.reason { throw reason }
        return spool
    }

    /// Records a clip at each slot, or of each motion, which ends with it or at the limit of its length.
    func recorder(of camera: Camera, _ one: Camera.Schedule, _ clip: ClipRequest) -> any Service {
        let (schedule, publication) = one
        let publisher = Publisher(
            times: schedule.times,
            longest: { .seconds(5) + camera.session.extraWait },
            clock: clock,
            publication: publication,
            take: { (_) throws(Problem) in
                let job = try await self.record(clip, of: camera, at: self.clock.now)
                return (job.createdAt, job.id)
            }
        )
        guard schedule.when == .motion, let motion = camera.session.motion else { return publisher }
        let recorder = ServiceFunction { [self] in
            let now = clock.wall
            guard schedule.isAlways || schedule.times.run(from: now)?.first == now else { return }
            do throws(Problem) {
                let job = try await record(clip, of: camera, at: motion.began ?? clock.now)
                publication.published(job.createdAt, as: job.id)
                await motion.wait(for: false, until: .distantFuture)
                recordings.end(job.id, at: clock.now)
            } catch {
                if !Task.isCancelled { publication.missed(now, error) }
            }
        }
        let isTimed = if case .every = schedule.rate { true } else { false }
        return MotionPublisher(motion: motion, publisher: isTimed ? publisher : recorder, publication: publication)
    }
}
