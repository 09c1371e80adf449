// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

extension Cameras {
    /// Runs the schedules and triggers of all cameras until graceful shutdown; call once.
    func publish() async {
        await withDiscardingTaskGroup { group in
            for await camera in published.stream.cancelOnGracefulShutdown() {
                let services = publishers(of: camera)
                group.addTask {
                    await camera.cancellation.runUntilCancelled(services.map { one in { try? await one.run() } })
                }
            }
        }
    }

    private func publishers(of camera: Camera) -> [any Service] {
        let scheduled = camera.publications.enumerated().map { publisher(of: camera, $1, number: $0 + 1) }
        let recovering = camera.configuration.recover.map { [recovery(of: camera, $0)] } ?? []
        let watching = camera.session.motion == nil ? [] : [keeper(of: camera, HoldRequest.motion)]
        let reading = camera.codes.map { [codeWatch(of: camera, $0), keeper(of: camera, HoldRequest.codes)] } ?? []
        let others = [triggered(of: camera)] + recovering + watching + reading
        guard let (settings, publication) = camera.latest else { return others + scheduled }
        return others + scheduled + [latest(of: camera, settings, publication)]
    }

    private func recovery(of camera: Camera, _ configuration: RecoverConfiguration) -> any Service {
        var logger = logger
        logger[metadataKey: "camera"] = "\(camera.name)"
        return CameraRecovery(
            configuration: configuration,
            failures: camera.session.failedOpenings,
            clock: clock,
            logger: logger
        ) { [self] failures in
            let environment = [
                "TINTYPE_SOCKET": socket, "TINTYPE_CAMERA": camera.name, "TINTYPE_FAILURES": "\(failures)",
            ]
            let command = HookCommand(command: configuration.command, environment: environment, clock: clock)
            let status = (try? WireFormat.encode(await status(of: camera))) ?? []
            return await command.run(status + [UInt8(ascii: "\n")], within: CameraRecovery.timeLimit)
        }
    }

    private func keeper(of camera: Camera, _ owner: String) -> any Service {
        let keeper = CameraKeeper(session: camera.session, owner: owner, publication: nil)
        return ServiceFunction {
            await cancelWhenGracefulShutdown { await keeper.run() }
            await keeper.release()
        }
    }

    private func codeWatch(of camera: Camera, _ sights: CodeSights) -> any Service {
        var logger = logger
        logger[metadataKey: "camera"] = "\(camera.name)"
        return CodeWatch(
            session: camera.session,
            encoding: encoding,
            sights: sights,
            read: readCodes,
            logger: logger,
            tell: tell
        )
    }

    private func publisher(of camera: Camera, _ one: Camera.Schedule, number: Int) -> any Service {
        let (schedule, publication) = one
        if let clip = schedule.clip { return recorder(of: camera, one, clip) }
        guard case .nth(let nth) = schedule.rate else {
            let publisher = Publisher(
                times: schedule.times,
                longest: { schedule.longestDeadline + camera.session.extraWait },
                clock: clock,
                publication: publication,
                take: { (deadline) throws(Problem) in
                    let request = schedule.request(within: deadline)
                    let record = try await self.still(request, source: .publish, of: camera.name).record
                    return (record.capturedAt, "\(record.id)")
                }
            )
            guard schedule.when == .motion, let motion = camera.session.motion else { return publisher }
            return MotionPublisher(motion: motion, publisher: publisher, publication: publication)
        }
        let session = camera.session
        let request = camera.completed(schedule.request(within: schedule.longestDeadline))
        let before = schedule.before ?? session.ring?.configuration.reach ?? .zero
        let motion = (schedule.when == .motion ? session.motion : nil).map { watch in
            MotionOccasion(watch: watch, before: before)
        }
        let owner = number == 1 ? HoldRequest.publish : "\(HoldRequest.publish)-\(number)"
        return StreamPublisher(
            session: session,
            nth: { nth },
            request: request,
            times: schedule.isAlways ? nil : schedule.times,
            occasion: motion,
            keeper: CameraKeeper(session: session, owner: owner, publication: publication),
            publication: publication,
            store: storing(request, of: camera)
        )
    }

    private func storing(_ request: StillRequest, of camera: Camera) -> StreamPublisher.Store {
        { (still, deadline) throws(Problem) in
            try await camera.stills.recordOutcome(of: nil) { () throws(Problem) in
                try await self.store(still, of: camera, request, source: .publish, until: deadline)
            }
        }
    }

    // MARK: - Triggers

    func trigger(_ wish: TriggerRequest, of name: String) async throws(Problem) -> TriggerReport {
        let asked = clock.now
        let camera = try await find(name)
        let (session, ring) = (camera.session, camera.session.ring)
        let before = wish.beforeMs?.duration ?? ring?.configuration.reach ?? .zero
        try checkReach(before, of: camera)
        _ = try usableSpool(of: camera)
        // A camera that was off has no earlier frames, and may not have settled in its first ones.
        let reach = ring?.reach
        let stops = session.stopCount
        let first = StillRequest(fresh: .latest, integrity: Self.triggerSchedule.integrity, keep: false)
        var report: TriggerReport
        camera.trigger.announce()
        do throws(Problem) {
            // The publisher takes over the hold, which has to last until then.
            _ = try await session.hold(HoldRequest(owner: HoldRequest.trigger, duration: first.deadline * 2))
            _ = try await camera.output.take(camera.completed(first), ifStopped: stops)
            // Another client may have opened it again.
            if let stop = session.stop(since: stops) { throw stop }
            report = try camera.trigger.add(wish, from: reach.map { asked - min($0, before) } ?? clock.now)
        } catch {
            camera.trigger.withdraw()
            await triggerKeeper(of: camera).release()
            guard error.code == .deadlineExceeded else { throw error }
            // Its own remedy has options of a still.
            var problem = error
            problem.remedy = "See “tintype status” for the reason, and trigger again once the camera gives pictures."
            throw problem
        }
        guard wish.clip else { return report }
        var clip = ClipRequest()
        (clip.beforeMs, clip.forMs, clip.tags) = (Milliseconds(before), wish.afterMs, wish.tags)
        do throws(Problem) {
            report.clip = try await record(clip, of: camera, at: asked).id
        } catch {
            // The pictures are stored all the same.
            report.clipError = error.detail
        }
        return report
    }

    /// Pictures with the usual faults of a camera are better than none of the event.
    private static let triggerSchedule = PublishSchedule(rate: .nth(1), integrity: .tolerant)

    private func triggerKeeper(of camera: Camera) -> CameraKeeper {
        var keeper = CameraKeeper(session: camera.session, owner: HoldRequest.trigger, publication: camera.triggered)
        keeper.isShared = { camera.trigger.isNeeded }
        return keeper
    }

    private func triggered(of camera: Camera) -> any Service {
        let trigger = camera.trigger
        let request = camera.completed(Self.triggerSchedule.request(within: Self.triggerSchedule.longestDeadline))
        let store = storing(request, of: camera)
        return StreamPublisher(
            session: camera.session,
            nth: { trigger.nth },
            request: request,
            times: nil,
            occasion: trigger,
            keeper: triggerKeeper(of: camera),
            publication: camera.triggered,
            store: { (still, deadline) throws(Problem) in
                var still = still
                still.record.tags = trigger.tags(and: still.record.tags)
                return try await store(still, deadline)
            }
        )
    }

    /// Replaces `latest.jpg` at its own rate, without a catalog row.
    private func latest(of camera: Camera, _ settings: LatestSettings, _ publication: Publication) -> any Service {
        Publisher(
            times: SlotTimes(every: settings.every),
            longest: { LatestSettings.longestDeadline + camera.session.extraWait },
            clock: clock,
            publication: publication,
            take: { (deadline) throws(Problem) in
                let end = self.clock.now + deadline
                let still = try await self.still(settings.request(within: deadline), source: .publish, of: camera.name)
                let spool = try self.spools.spool(named: camera.spool)
                try await spool.replaceLatest(of: camera.name, by: still.picture, until: end)
                return (still.record.capturedAt, "\(still.record.id)")
            }
        )
    }

    // MARK: - Clips

    func record(_ request: ClipRequest, of name: String) async throws(Problem) -> Job {
        let asked = clock.now
        let camera = try await find(name)
        try checkReach(request.beforeMs.duration, of: camera)
        return try await record(request, of: camera, at: asked)
    }

    /// The time of the request counts from `asked`.
    private func record(_ request: ClipRequest, of camera: Camera, at asked: MonotonicTime) async throws(Problem) -> Job
    {
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
    private func checkReach(_ before: Duration, of camera: Camera) throws(Problem) {
        guard before > .zero else { return }
        let most = try camera.output.ring(for: "beforeMs").configuration.reach
        let wrong = "is longer than the ring of the camera \(camera.name): \(SpokenDuration.text(most))."
        let remedy = "Ask for less, or raise cameras.\(camera.name).ring.seconds in tintyped's configuration."
        if before > most { throw .invalid(field: "beforeMs", wrong, remedy: remedy) }
    }

    private func usableSpool(of camera: Camera) throws(Problem) -> SpoolStore {
        let spool = try spools.spool(named: camera.spool)
        if spool.state.name == .unavailable, let reason = spool.state.reason { throw reason }
        return spool
    }

    /// Records a clip at each slot, or of each motion, which ends with it or at the limit of its length.
    private func recorder(of camera: Camera, _ one: Camera.Schedule, _ clip: ClipRequest) -> any Service {
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
            guard schedule.isAlways || schedule.times.allows(now) else { return }
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

/// Slots of a schedule without alignment are counted from the start of the motion.
struct MotionPublisher: Service {
    let motion: MotionWatch
    let publisher: any Service
    let publication: Publication

    func run() async { await cancelWhenGracefulShutdown { await publish() } }

    private func publish() async {
        while !Task.isCancelled {
            await motion.wait(for: true, until: .distantFuture)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await publisher.run() }
                await motion.wait(for: false, until: .distantFuture)
                group.cancelAll()
            }
            publication.expect(nil)
        }
    }
}
