// SPDX-License-Identifier: Apache-2.0
internal import TintypeAPI
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool

extension Cameras: CameraService {
    // MARK: - Stills

    func still(
        _ request: StillRequest,
        of name: String,
        beforeStoring admit: (_ bytes: Int) throws(Problem) -> Void = { _ in }
    ) async throws(Problem) -> Still {
        try await still(request, source: .request, of: name, beforeStoring: admit)
    }

    func still(
        _ request: StillRequest,
        source: FrameSource,
        of name: String,
        beforeStoring admit: (_ bytes: Int) throws(Problem) -> Void = { _ in }
    ) async throws(Problem) -> Still {
        let began = clock.now
        let camera = try await find(name)
        var wanted = camera.completed(request)
        wanted.deadline = max(.zero, began + wanted.deadline - clock.now)
        return try await camera.stills.recordOutcome(of: source == .request ? request : nil) {
            [wanted] () throws(Problem) in
            var still = try await camera.output.take(wanted)
            if wanted.keep { try admit(still.picture.count) }
            still.record = try await store(still, of: camera, wanted, source: source, until: began + wanted.deadline)
            return still
        }
    }

    func stills(
        _ request: StillRequest,
        of name: String,
        onStill: @escaping @Sendable (StillRecord) -> Void
    ) async throws(Problem) -> StillList {
        guard request.burst != nil else { return StillList(stills: [try await still(request, of: name).record]) }
        let camera = try await find(name)
        let request = camera.completed(request)
        return try await camera.stills.recordOutcome(of: request) { () throws(Problem) in
            let output = BurstOutput(session: camera.session)
            let list = try await output.take(request, telling: onStill) { (still, deadline) throws(Problem) in
                try await self.store(still, of: camera, request, source: .request, until: deadline)
            }
            for missed in list.missed ?? [] { camera.metrics.failed(missed.code) }
            return list
        }
    }

    /// Stores a still if it is to be kept, and counts it.
    func store(
        _ still: Still,
        of camera: Camera,
        _ request: StillRequest,
        source: FrameSource,
        until deadline: MonotonicTime
    ) async throws(Problem) -> StillRecord {
        let still = camera.tagged(still)
        var record = still.record
        if request.keep {
            let taken = clock.now
            let age = record.ageMs?.duration ?? .zero
            let spool = try spools.spool(named: camera.spool)
            record = try await spool.store(still, durability: request.durability, source: source, until: deadline)
            record.ageMs = Milliseconds(age + (clock.now - taken))
        }
        camera.metrics.recordTaken(record)
        return record
    }

    func scan(_ request: ScanRequest, of name: String) async throws(Problem) -> ScanReport {
        let place = try scans.enter()
        defer { withExtendedLifetime(place) {} }
        let end = clock.now + request.deadline
        let still = try await still(StillRequest(deadline: request.deadline, keep: false), of: name)
        switch await encoding.luma(of: still.picture) {
        case .success(let luma):
            return ScanReport(codes: try await readCodes(luma, max(.zero, end - clock.now)), still: still.record)
        case .failure(let error):
            let remedy = "Ask again, or give the camera another size or format (tintype configure)."
            throw Problem(.corruptOnly, "The picture cannot be read: \(error)", remedy: remedy)
        }
    }

    func stream(_ request: StreamRequest, of name: String) async throws(Problem) -> PictureSource {
        let camera = try await find(name)
        var request = request
        request.picture = camera.completed(request.picture)
        let stream = try PictureStream(camera.session, request, in: camera.streams)
        return { () throws(Problem) in try await stream.next() }
    }

    func examine(_ request: ExaminationRequest, of name: String) async throws(Problem) -> Examination {
        let session = try await find(name).session
        let place = try examinations.enter()
        defer { withExtendedLifetime(place) {} }
        return await ExaminationOutput(session: session).examine(request)
    }

    func resetTolerance(of name: String) async throws(Problem) -> CameraStatus {
        try await find(name).session.knownFaults.reset()
        return try await camera(name)
    }

    // MARK: - Configuration and warmth

    func formats(of name: String) async throws(Problem) -> [FormatDescription] {
        try await find(name).session.formats()
    }

    func configuration(of name: String) async throws(Problem) -> ConfigurationReport {
        try await find(name).session.report
    }

    func configure(
        _ settings: CameraSettings,
        ifRevision revision: Int?,
        of name: String
    ) async throws(Problem) -> ConfigurationReport {
        let session = try await find(name).session
        var configuration = session.published.snapshot.configuration
        configuration.settings = settings
        let report = try await session.apply(configuration, ifRevision: revision)
        let text = "The configuration of the camera \(name) was changed by a client."
        tell(Event(.configurationChanged, camera: name, text))
        return report
    }

    func start(_ name: String) async throws(Problem) -> CameraStatus {
        _ = try await find(name).session.start()
        return try await camera(name)
    }

    func stop(_ name: String) async throws(Problem) -> CameraStatus {
        try await find(name).session.stop()
        return try await camera(name)
    }

    func stopCount(of name: String) async -> Int { (try? await find(name).session.stopCount) ?? 0 }

    func hold(_ request: HoldRequest, of name: String) async throws(Problem) -> CameraHold {
        try await find(name).session.hold(request)
    }

    func release(_ request: ReleaseRequest, of name: String) async throws(Problem) -> [CameraHold] {
        try await find(name).session.release(request)
    }

    // MARK: - Controls and their profiles

    func controls(of name: String) async throws(Problem) -> [ControlDescription] {
        try await find(name).session.controls.all()
    }

    func setControls(_ settings: ControlSettings, of name: String) async throws(Problem) -> [ControlOutcome] {
        reportChanges(try await find(name).session.controls.set(settings), of: name)
    }

    func resetControls(of name: String) async throws(Problem) -> [ControlOutcome] {
        reportChanges(try await find(name).session.controls.reset(), of: name)
    }

    private func reportChanges(_ outcomes: [ControlOutcome], of name: String) -> [ControlOutcome] {
        let values = outcomes.filter(\.isFulfilled).compactMap { outcome in outcome.value.map { (outcome.name, $0) } }
        if !values.isEmpty { tell(.controls(Dictionary(values) { $1 }, of: name, by: "by a client")) }
        return outcomes
    }

    func profiles(of name: String) async throws(Problem) -> [ControlProfile] {
        try await profiles.all(of: try await find(name).name)
    }

    func profile(_ profile: String, of name: String) async throws(Problem) -> ControlProfile {
        try await profiles.profile(profile, of: try await find(name).name)
    }

    func saveProfile(
        _ profile: String,
        _ settings: ControlSettings?,
        of name: String
    ) async throws(Problem) -> ControlProfile {
        let camera = try await find(name)
        let wishes = if let settings { settings } else { ControlSettings(of: try await camera.session.controls.all()) }
        return try await profiles.save(wishes, as: profile, of: camera.name)
    }

    func removeProfile(_ profile: String, of name: String) async throws(Problem) {
        try await profiles.remove(profile, of: try await find(name).name)
    }

    func applyProfile(_ profile: String, of name: String) async throws(Problem) -> [ControlOutcome] {
        let camera = try await find(name)
        let chosen = try await profiles.profile(profile, of: camera.name)
        return reportChanges(try await camera.session.controls.use(chosen.controls, named: chosen.name), of: name)
    }

    func differences(from profile: String, of name: String) async throws(Problem) -> [ControlDifference] {
        let camera = try await find(name)
        let chosen = try await profiles.profile(profile, of: camera.name)
        return chosen.controls.differences(from: try await camera.session.controls.all())
    }
}
