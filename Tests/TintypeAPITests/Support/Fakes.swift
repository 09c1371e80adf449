// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeAPI
import TintypeModel

final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

final class CallLog<Call: Sendable>: Sendable {
    private let state = Mutex<[Call]>([])

    var calls: [Call] { state.withLock(\.self) }
    func add(_ call: Call) { state.withLock { $0.append(call) } }
}

/// Cameras with replaceable stills and streams.
struct FakeCameras: CameraService {
    var all: [CameraStatus] = [Samples.status, Samples.idle]
    var take: @Sendable (StillRequest, String) async throws(Problem) -> Still = { request, _ in
        Samples.still(kept: request.keep)
    }

    /// Returns the pictures of a camera's stream by number, from 0; a problem ends the stream.
    var watch: @Sendable (StreamRequest, String, Int) async throws(Problem) -> StreamedPicture = {
        (_, _, number) throws(Problem) in
        guard number < 2 else { throw Problem(.deviceLost, "It is gone.", remedy: "Plug it in.") }
        return Samples.streamed
    }

    let stills = CallLog<StillRequest>()
    let stored = CallLog<StillRecord>()
    let holds = CallLog<HoldRequest>()
    let stops = CallLog<String>()
    let triggers = CallLog<TriggerRequest>()
    let clips = CallLog<ClipRequest>()
    let scans = CallLog<ScanRequest>()
    let examinations = CallLog<ExaminationRequest>()

    func cameras() async -> [CameraStatus] { all }

    func list() async -> CameraList { CameraList(cameras: all, unconfigured: [Samples.unconfigured]) }

    func camera(_ name: String) async throws(Problem) -> CameraStatus {
        guard let status = all.first(where: { $0.name == name }) else {
            throw Problem(.cameraNotFound, "There is no camera \(name).", remedy: "See GET /v1/cameras.")
        }
        return status
    }

    func formats(of camera: String) async throws(Problem) -> [FormatDescription] {
        _ = try await self.camera(camera)
        return [Samples.format]
    }

    func configuration(of camera: String) async throws(Problem) -> ConfigurationReport {
        _ = try await self.camera(camera)
        return Samples.report(Samples.settings)
    }

    func configure(
        _ settings: CameraSettings,
        ifRevision revision: Int?,
        of camera: String
    ) async throws(Problem) -> ConfigurationReport {
        _ = try await self.camera(camera)
        guard revision == nil || revision == 7 else {
            throw Problem(.configurationConflict, "It has changed.", remedy: "Get it anew.")
        }
        return Samples.report(settings)
    }

    func still(
        _ request: StillRequest,
        of camera: String,
        beforeStoring admit: (_ bytes: Int) throws(Problem) -> Void = { _ in }
    ) async throws(Problem) -> Still {
        _ = try await self.camera(camera)
        stills.add(request)
        let still = try await take(request, camera)
        if request.keep {
            try admit(still.picture.count)
            stored.add(still.record)
        }
        return still
    }

    func stills(
        _ request: StillRequest,
        of camera: String,
        onStill: @escaping @Sendable (StillRecord) -> Void
    ) async throws(Problem) -> StillList {
        let late = Problem(.deadlineExceeded, "No picture came.", remedy: "Wait.")
        let record = try await still(request, of: camera).record
        onStill(record)
        return StillList(stills: [record], missed: request.burst == nil ? nil : [MissedStill(index: 1, late)])
    }

    func stream(_ request: StreamRequest, of camera: String) async throws(Problem) -> PictureSource {
        _ = try await self.camera(camera)
        let given = Counter()
        return { () throws(Problem) in try await watch(request, camera, given.next()) }
    }

    func start(_ camera: String) async throws(Problem) -> CameraStatus { try await self.camera(camera) }

    func resetTolerance(of camera: String) async throws(Problem) -> CameraStatus { try await self.camera(camera) }
    func stop(_ camera: String) async throws(Problem) -> CameraStatus {
        stops.add(camera)
        return try await self.camera(camera)
    }

    func stopCount(of camera: String) async -> Int { stops.calls.count { $0 == camera } }

    func hold(_ request: HoldRequest, of camera: String) async throws(Problem) -> CameraHold {
        _ = try await self.camera(camera)
        holds.add(request)
        return CameraHold(owner: request.owner, until: Samples.until)
    }

    func release(_ request: ReleaseRequest, of camera: String) async throws(Problem) -> [CameraHold] {
        try await self.camera(camera).holds.filter { request.owner != nil && $0.owner != request.owner }
    }

    func trigger(_ request: TriggerRequest, of camera: String) async throws(Problem) -> TriggerReport {
        _ = try await self.camera(camera)
        triggers.add(request)
        return TriggerReport(from: Samples.until, until: Samples.until, nth: request.nth, tags: request.tags)
    }

    func record(_ request: ClipRequest, of camera: String) async throws(Problem) -> Job {
        _ = try await self.camera(camera)
        clips.add(request)
        var job = Job(id: "k3v9qa2m", rule: nil, spool: "default", source: "", target: "", createdAt: Samples.until)
        (job.kind, job.camera) = (.clip, camera)
        return job
    }

    func scan(_ request: ScanRequest, of camera: String) async throws(Problem) -> ScanReport {
        _ = try await self.camera(camera)
        scans.add(request)
        return ScanReport(codes: [Samples.code], still: Samples.still().record)
    }

    func examine(_ request: ExaminationRequest, of camera: String) async throws(Problem) -> Examination {
        _ = try await self.camera(camera)
        examinations.add(request)
        return Samples.examination
    }
}

extension FakeCameras {
    /// Cameras with pictures far larger than the buffer of a socket.
    static func large() -> FakeCameras {
        FakeCameras(take: { _, _ in
            var still = Samples.still()
            still.picture = [UInt8](repeating: 7, count: 8_000_000)
            return still
        })
    }

    /// Cameras whose stills open `asked`, then wait for `release`, if `isDeaf` even when cancelled.
    static func slow(_ asked: Gate, _ release: Gate, isDeaf: Bool = false) -> FakeCameras {
        FakeCameras(take: { _, _ in
            asked.open()
            // A separate task is not cancelled with the request.
            if isDeaf { await Task { await release.wait() }.value } else { await release.wait() }
            return Samples.still()
        })
    }
}

/// Suspends tasks until it is opened or the waiting task is cancelled.
struct Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let feed: AsyncStream<Void>.Continuation

    init() { (stream, feed) = AsyncStream.makeStream(of: Void.self) }

    func open() { feed.finish() }
    func wait() async { for await _ in stream {} }
}
