// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSystem

/// The recordings under way, by the ids of their jobs; any thread, never blocks.
final class Recordings: Service, ClipRecordings {
    /// Called after a recording has begun or ended; set before the first one.
    let whenChanged = Mutex<@Sendable () -> Void>({})
    private let active = Mutex<[String: ClipRecorder]>([:])
    /// Most recordings of a camera at a time.
    static let most = 4
    /// For ``run()``.
    private let begun = AsyncStream.makeStream(of: ClipRecorder.self)

    /// Runs all recordings, until graceful shutdown closes their files; call once.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await recorder in begun.stream.cancelOnGracefulShutdown() {
                group.addTask { [self] in
                    await cancelWhenGracefulShutdown { await recorder.run() }
                    active.withLock { $0[recorder.control.id] = nil }
                    tellChange()
                }
            }
            begun.continuation.finish()
        }
    }

    /// Returns the job once the first frame is in the file; the recording goes on without the caller.
    ///
    /// Throws `too-many-requests` above ``most``.
    func record(_ recorder: ClipRecorder) async throws(Problem) -> Job {
        let control = recorder.control
        let isBegun = active.withLock { active in
            guard active.values.count(where: { $0.camera == recorder.camera }) < Self.most else { return false }
            active[control.id] = recorder
            return true
        }
        guard isBegun else {
            let detail = "\(Self.most) clips of the camera \(recorder.camera) are being recorded already."
            let remedy = "Wait for the end of one, or cancel one (tintype jobs cancel ID)."
            throw Problem(.tooManyRequests, detail, remedy: remedy, retryAfter: .seconds(1))
        }
        if case .terminated = begun.continuation.yield(recorder) { control.job.resolve(.failure(.daemonStops)) }
        let job = try await control.job.value(until: .distantFuture, otherwise: .daemonStops)
        tellChange()
        return job
    }

    private func tellChange() { whenChanged.withLock(\.self)() }

    var isEmpty: Bool { active.withLock(\.isEmpty) }
    func isActive(_ id: String) -> Bool { self[id] != nil }
    func apply(_ event: JobState.Event, _ id: String) { self[id]?.apply(event) }
    /// Part that is recorded, from 0 to 1; nil for a job that is not being recorded.
    func progress(_ id: String) -> Double? { self[id]?.progress }
    /// Ends a recording with the frame exposed at `moment`, if that is earlier than its own end.
    func end(_ id: String, at moment: MonotonicTime) { self[id]?.end(at: moment) }

    private subscript(id: String) -> RecordingControl? { active.withLock { $0[id]?.control } }
}
