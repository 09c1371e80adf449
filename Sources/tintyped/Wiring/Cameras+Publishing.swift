// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool

extension Cameras {
    /// Runs the schedules of all cameras until graceful shutdown; call once.
    func publish() async {
        await withDiscardingTaskGroup { group in
            for await camera in published.stream.cancelOnGracefulShutdown() {
                let services = publishers(of: camera)
                guard !services.isEmpty else { continue }
                group.addTask {
                    await camera.cancellation.runUntilCancelled(services.map { one in { try? await one.run() } })
                }
            }
        }
    }

    private func publishers(of camera: Camera) -> [any Service] {
        let scheduled = camera.publications.enumerated().map { index, one in
            publisher(of: camera, one.schedule, number: index + 1, one.publication)
        }
        let watching = camera.session.motion == nil ? [] : [keeperOfWatched(camera)]
        guard let (settings, publication) = camera.latest else { return watching + scheduled }
        return watching + scheduled + [latest(of: camera, settings, publication)]
    }

    private func keeperOfWatched(_ camera: Camera) -> any Service {
        let keeper = CameraKeeper(session: camera.session, owner: HoldRequest.motion, publication: nil)
        return ServiceFunction {
            await cancelWhenGracefulShutdown { await keeper.run() }
            await keeper.release()
        }
    }

    private func publisher(
        of camera: Camera,
        _ schedule: PublishSchedule,
        number: Int,
        _ publication: Publication
    ) -> any Service {
        guard case .nth(let nth) = schedule.rate else {
            let publisher = Publisher(
                times: schedule.times,
                longest: schedule.longestDeadline,
                clock: clock,
                publication: publication
            ) { (deadline) throws(Problem) in
                try await self.still(schedule.request(within: deadline), source: .publish, of: camera.name).record
            }
            guard schedule.when == .motion, let motion = camera.session.motion else { return publisher }
            return MotionPublisher(motion: motion, publisher: publisher, publication: publication)
        }
        let session = camera.session
        let request = camera.completed(schedule.request(within: schedule.longestDeadline))
        let before = schedule.before ?? session.ring?.configuration.reach ?? .zero
        let motion = schedule.when == .motion ? session.motion.map { (watch: $0, before: before) } : nil
        let owner = number == 1 ? HoldRequest.publish : "\(HoldRequest.publish)-\(number)"
        return StreamPublisher(
            session: session,
            nth: nth,
            request: request,
            times: schedule.isAlways ? nil : schedule.times,
            motion: motion,
            keeper: CameraKeeper(session: session, owner: owner, publication: publication),
            publication: publication
        ) { (still, deadline) throws(Problem) in
            try await camera.metrics.countingFailure { () throws(Problem) in
                try await self.store(still, of: camera, request, source: .publish, until: deadline)
            }
        }
    }

    /// Replaces `latest.jpg` at its own rate, without a catalog row.
    private func latest(of camera: Camera, _ settings: LatestSettings, _ publication: Publication) -> any Service {
        Publisher(
            times: SlotTimes(every: settings.every),
            longest: LatestSettings.longestDeadline,
            clock: clock,
            publication: publication
        ) { (deadline) throws(Problem) in
            let end = self.clock.now + deadline
            let still = try await self.still(settings.request(within: deadline), source: .publish, of: camera.name)
            let spool = try self.spools.spool(named: camera.spool)
            try await spool.replaceLatest(of: camera.name, by: still.picture, until: end)
            return still.record
        }
    }
}

/// Slots of a schedule without alignment are counted from the start of the motion.
struct MotionPublisher: Service {
    let motion: MotionWatch
    let publisher: any Service
    let publication: Publication

    static var never: MonotonicTime { MonotonicTime(nanoseconds: .max) }

    func run() async { await cancelWhenGracefulShutdown { await publish() } }

    private func publish() async {
        while !Task.isCancelled {
            await motion.wait(for: true, until: Self.never)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await publisher.run() }
                await motion.wait(for: false, until: Self.never)
                group.cancelAll()
            }
            publication.expect(nil)
        }
    }
}
