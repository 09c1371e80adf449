// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

extension CaptureSession {
    /// Opens the device and keeps it open until ``stop()``; returns the granted format once the stream runs.
    package func start() async throws(Problem) -> CaptureFormat {
        try await ask("start", longestCall: DriverCalls.longestWait) { session, reply in
            guard await session.catchUp(for: reply) else { return nil }
            let before = session.use
            session.use.isStarted = true
            if session.phase.stream == nil { await session.openDevice() }
            // A camera that was started before stays so during its outage.
            await session.answer(reply, session.phase.stream?.format, "start", or: before)
            return nil
        }
    }

    /// Closes the device, even if hot or held, until the next request; answers within a second, with `driver-stuck`
    /// during a hung driver call: the device is closed when that returns.
    package func stop() async throws(Problem) {
        // Also before the device is closed, which a driver call that hangs prevents.
        context.alarms?.end()
        let _: Bool = try await ask("stop", longestCall: Self.shortCall, isKept: true) { session, _ in
            let (context, ended) = (session.context, session.use.stop())
            if !ended.isEmpty {
                context.logger.notice(
                    "the camera was stopped, and all holds have ended",
                    metadata: ["owners": "\(ended.map(\.owner))"]
                )
            }
            // Publish first: a client that sees the camera off must not see it started.
            session.publishWarmth()
            await session.close()
            context.alarms?.end()
            context.published.update { $0.failure = nil }
            context.dispatcher.change { state in
                state.stop(.stopped(context.name))
                state.use.last = MonotonicTime.never
            }
            return true
        }
    }

    /// Keeps the device open for the owner, for the requested time and through interruptions; repeating extends the
    /// hold.
    ///
    /// Returns once the stream runs; a first one throws the problem of opening, or `too-many-requests`. With `stops`, the
    /// stop count when the client began, throws `stopping` if the camera was stopped since or is still stopped.
    package func hold(_ request: HoldRequest, ifStopped stops: Int? = nil) async throws(Problem) -> CameraHold {
        try await ask("hold", longestCall: DriverCalls.longestWait) { (session, reply) throws(Problem) in
            guard await session.catchUp(for: reply) else { return nil }
            let (context, before) = (session.context, session.use)
            // A start that failed meanwhile has left it stopped.
            let stopped: Problem? = before.isStopped ? .stopped(context.name) : nil
            if let stops, let problem = context.dispatcher.stops.problem(since: stops) ?? stopped { throw problem }
            let now = context.clock.now
            guard let hold = session.use.holds.hold(request.owner, until: now + request.duration) else {
                throw before.holds.tooMany(of: context.name, now: now)
            }
            // A hold survives interruptions, and may be extended during one.
            let isExtended = before.holds.holds.contains { $0.owner == request.owner }
            if session.phase.stream == nil, !isExtended { await session.openDevice() }
            let isHeld = session.phase.stream != nil || isExtended
            await session.answer(reply, isHeld ? CameraHold(hold, by: context.clock) : nil, "hold", or: before)
            return nil
        }
    }

    /// Ends the hold of one owner, or all; returns the remaining ones once the device is closed if nothing keeps it
    /// open; throws `not-found` without one; ends none if `isNeeded`, which is asked in the order of the commands, and
    /// must not block.
    package func release(
        _ request: ReleaseRequest,
        unless isNeeded: @escaping @Sendable () -> Bool = { false }
    ) async throws(Problem) -> [CameraHold] {
        let what = ["release", request.owner].compactMap(\.self).joined(separator: " ")
        return try await ask(what, longestCall: Self.shortCall, isKept: true) { (session, _) throws(Problem) in
            let context = session.context
            if !isNeeded() {
                let ended = session.use.holds.release(request.owner)
                if let owner = request.owner, ended.isEmpty {
                    throw session.use.holds.noHold(of: owner, on: context.name)
                }
                if !ended.isEmpty { session.publishWarmth(holdsEnded: true) }
                await session.close(ifIdle: true)
            }
            return session.use.holds.holds.map { CameraHold($0, by: context.clock) }
        }
    }

    /// Changes the whole configuration or nothing; a closed device is opened without streaming to negotiate; throws
    /// `configuration-conflict` if `revision` is not the current one, and `driver-stuck` within a second.
    package func apply(
        _ new: SessionConfiguration,
        ifRevision revision: Int? = nil
    ) async throws(Problem) -> ConfigurationReport {
        try context.look?.check(new.settings, after: published.snapshot.configuration.settings)
        return try await ask("apply", longestCall: Self.shortCall) { (session, reply) throws(Problem) in
            // A client that was told of a failure must not find the change made.
            guard await session.catchUp(for: reply) else { return nil }
            let (old, context) = (session.configuration, session.context)
            let current = context.published.snapshot.revision
            guard revision == nil || revision == current else {
                throw Problem(
                    .configurationConflict,
                    "The configuration of \(context.name) has changed: its revision is \(current).",
                    remedy: "Read the configuration again, and apply the change to that."
                )
            }
            do throws(DeviceError) { try await session.change(to: new, reply) } catch { throw error.problem }
            guard !reply.resolve(.success(context.published.snapshot.report(of: context.name))) else { return nil }
            do throws(DeviceError) {
                try await session.change(to: old, nil)
            } catch {
                // Reopen with the old configuration on demand, as soon as the device permits.
                await session.close()
                await session.adopt(old)
            }
            return nil
        }
    }

    /// Formats offered by the device; a closed one is opened for this and closed again.
    package func formats() async throws(Problem) -> [FormatDescription] {
        try await ask("formats") { (session, reply) throws(Problem) in
            let configuration = session.configuration
            do throws(DeviceError) {
                return try await session.onThread { (worker) throws(DeviceError) in
                    reply.isAwaited ? try worker.offeredFormats(configuration) : nil
                }
            } catch {
                throw error.problem
            }
        }
    }
}

extension SessionLoop {
    /// Runs `body` on the camera's thread and returns its result, however long the driver takes.
    func onThread<R: Sendable>(
        _ body: @escaping @Sendable (CameraWorker) throws(DeviceError) -> R
    ) async throws(DeviceError) -> R {
        do throws(ResourceError) { try thread.start() } catch { throw DeviceError(error, path: context.name) }
        let result = await thread.run { worker in Result { () throws(DeviceError) in try body(worker) } }
        guard let result else { throw .absent(path: context.name) }
        do throws(DeviceError) {
            return try result.get()
        } catch {
            throw error.naming(besides: context.name)
        }
    }

    /// Waits until the camera's thread has done its queued work, and handles its events; false if the client has left.
    func catchUp<Value>(for reply: Reply<Value>) async -> Bool {
        _ = await thread.run { _ in }
        await handle(context.mailbox.takeEvents())
        return reply.isAwaited
    }

    /// Answers with `value`; if that is nil or no client receives it, restores `before`.
    func answer<Value>(_ reply: Reply<Value>, _ value: Value?, _ what: String, or before: CameraUse) async {
        if value == nil { use = before }
        publishWarmth()
        guard let value else {
            reply.resolve(.failure(recovery.lastReason ?? context.unanswered(what)))
            return
        }
        guard !reply.resolve(.success(value)) else { return }
        // A client that was told of a failure must not find the camera started, held, or reopened after a stop.
        use = before
        publishWarmth()
        if use.isStopped, !rule.isWanted { await close() }
    }

    /// A stream is restarted with the new configuration, or with the old one if that fails; `reply` is nil to change it
    /// unconditionally.
    func change(to new: SessionConfiguration, _ reply: Reply<ConfigurationReport>?) async throws(DeviceError) {
        let old = configuration
        guard old.format != new.format || old.input != new.input else { return await adopt(new) }
        guard phase.stream != nil else {
            // Open the closed device without streaming, to verify that it grants the configuration.
            try await onThread { (worker) throws(DeviceError) in try worker.tryOut(new) }
            await adopt(new)
            // The cause of the last failure may be gone.
            phase.interruption?.nextAttempt = context.clock.now
            return
        }
        if old.input == new.input {
            try await onThread { (worker) throws(DeviceError) in try worker.check(new) }
            guard reply?.isAwaited != false else { return }
        }
        configuration = new
        let error = await openDevice(keepsClients: true)
        configuration = old
        if let error {
            await openDevice(keepsClients: true)
            throw error
        }
        await adopt(new)
    }

    func adopt(_ new: SessionConfiguration) async {
        guard configuration != new else { return }
        configuration = new
        context.published.update { snapshot in
            snapshot.configuration = new
            snapshot.revision += 1
        }
        if controls.configured != new.controls {
            controls.configured = new.controls
            let wishes = controls.wishes
            _ = await thread.run { $0.changeControls(to: wishes) }
        }
        publishWarmth()
        let revision = context.published.snapshot.revision
        context.logger.info("the configuration has changed", metadata: ["revision": "\(revision)"])
    }

    func publishWarmth(holdsEnded: Bool = false) {
        // A hold counts as use: a lingering camera stays open from its end on.
        if holdsEnded, use.holds.isEmpty { context.dispatcher.lastUse = context.clock.now }
        context.published.updateWarmth { [use] in $0.use = use }
    }
}

extension HoldTable {
    fileprivate func tooMany(of camera: String, now: MonotonicTime) -> Problem {
        Problem(
            .tooManyRequests,
            "The camera \(camera) is held by \(holds.count) owners already, which is the most there can be.",
            remedy: "Release one of them: \(holds.prefix(3).map(\.owner).joined(separator: ", ")), ….",
            retryAfter: nextEnd.map { max(.zero, $0 - now) }
        )
    }

    fileprivate func noHold(of owner: String, on camera: String) -> Problem {
        let owners = holds.map(\.owner).joined(separator: ", ")
        return Problem(
            .notFound,
            "No owner “\(owner)” holds the camera \(camera).",
            remedy: owners.isEmpty
                ? "It is not held, or not any more: a hold that has expired need not be released."
                : "It is held by \(owners)."
        )
    }
}

extension Problem {
    fileprivate static func stopped(_ camera: String) -> Problem {
        Problem(.stopping, "The camera \(camera) was stopped.", remedy: "Ask again.", retryAfter: .seconds(1))
    }
}
