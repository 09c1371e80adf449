// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// File and job of a recording; each call returns in time, even if the disk hangs.
protocol ClipWriting: Sendable {
    var bytes: Int { get }
    func append(_ picture: [UInt8], at time: Duration) async throws(Problem)
    func addJob(_ request: ClipRequest, of camera: String, from capturedAt: Timestamp) async throws(Problem) -> Job
    /// Ends the file, and notes in the job the time that pauses cut and the error.
    func close(cut: Duration, error: String?) async
    func remove() async
}

extension ClipFile: ClipWriting {}

/// Recording of one clip, for one task.
struct ClipRecorder: Sendable {
    /// Upper limit of the file.
    static let mostBytes = 2 << 30
    /// Time limit of the first frame and of its file.
    static let timeLimit = Duration.seconds(10)
    /// Pause after a failure of the camera, and time from the end to the last frame before it.
    private static let pause = Duration.seconds(1)

    let request: ClipRequest
    let camera: String
    let clock: any MonotonicClock
    let control: RecordingControl
    let create: @Sendable (_ id: String, _ size: FrameSize) async throws(Problem) -> any ClipWriting
    /// Opens the camera for frames exposed from a time on.
    let open: @Sendable (_ start: MonotonicTime) async throws(Problem) -> ClipFrames

    /// Records until the end, or until the task is cancelled, which leaves a whole file.
    ///
    /// First makes the file with the first frame, then the job: interrupted before that, or without a client that waits
    /// for the job, the clip was never recorded.
    func run() async {
        var (frames, file, lost) = (ClipFrames?.none, (any ClipWriting)?.none, 0)
        do throws(Problem) {
            frames = try await open(control.start)
            guard let first = try await frames?.next(until: clock.now + Self.timeLimit) else {
                let detail = "The camera \(camera) gave no picture for the clip."
                throw Problem(.deadlineExceeded, detail, remedy: "See “tintype status” for the reason.")
            }
            guard control.job.isAwaited else { throw .requestAbandoned }
            let made = try await create(control.id, first.size)
            file = made
            control.begin(first.stamp.exposureStart)
            try await made.append(first.jpeg, at: .zero)
            let job = try await made.addJob(request, of: camera, from: first.name.capturedAt)
            guard control.job.resolve(.success(job)) else { throw .requestAbandoned }
            await record(&frames, &lost, into: made)
        } catch {
            control.job.resolve(.failure(error))
        }
        if Task.isCancelled { control.end(early: "tintyped was stopped.") }
        leave(&frames, &lost)
        let count = CountText.text(lost, "frame was", "frames were")
        let loss = lost == 0 ? nil : "\(count) left out: damaged, or too many at once."
        let error = [control.error, loss].compactMap(\.self).joined(separator: " ")
        // A task of its own, which is not cancelled.
        await Task { [control, file] in
            guard case .success = control.job.answer else { return await file?.remove() }
            await file?.close(cut: control.cut, error: error.isEmpty ? nil : error)
        }.value
    }

    private func leave(_ frames: inout ClipFrames?, _ lost: inout Int) {
        lost += frames?.lost ?? 0
        frames.take()?.close()
    }

    private func record(_ frames: inout ClipFrames?, _ lost: inout Int, into file: any ClipWriting) async {
        while !Task.isCancelled, !control.isOver {
            if frames == nil, control.isPaused(at: clock.now) {
                await control.waker.sleep(until: nil)
                continue
            }
            do throws(Problem) {
                if frames == nil { frames = try await open(clock.now) }
                let image = try await frames?.next(until: clock.now + Self.pause)
                // By time only without frames: reading them may take longer than they took.
                if let image { await append(image, to: file) } else { control.expire(after: Self.pause) }
                if control.isPaused(at: image?.stamp.exposureStart ?? clock.now) { leave(&frames, &lost) }
            } catch {
                leave(&frames, &lost)
                // A camera that was stopped by command or is configured anew is not opened again.
                if error.code == .stopping, !Task.isCancelled { control.end(early: error.detail) }
                control.expire(after: Self.pause)
                if !control.isOver { await control.waker.sleep(until: clock.now + Self.pause) }
            }
        }
    }

    private func append(_ image: EncodedImage, to file: any ClipWriting) async {
        guard let time = control.time(of: image.stamp.exposureStart) else { return }
        guard file.bytes + image.jpeg.count <= Self.mostBytes else {
            return control.end(early: "it has \(HumanBytes.text(Self.mostBytes)).")
        }
        do throws(Problem) {
            try await file.append(image.jpeg, at: time)
        } catch {
            if !Task.isCancelled { control.end(early: error.detail) }
        }
    }
}

/// Times and commands of one recording; any thread, never blocks.
final class RecordingControl: Sendable {
    private struct State {
        /// Exposure of the first frame.
        var began: MonotonicTime
        var length: Duration
        /// Time of the newest frame in the file.
        var last = Duration.zero
        /// Time of the pauses before it.
        var cut = Duration.zero
        /// The last one may have no end yet.
        var pauses: [Range<MonotonicTime>] = []
        var isOver = false
        var error: String?

        var isPaused: Bool { pauses.last?.upperBound == .distantFuture }

        /// Time from the first frame without pauses.
        func elapsed(at moment: MonotonicTime) -> Duration {
            pauses.reduce(moment - began) { $0 - max(.zero, min($1.upperBound, moment) - $1.lowerBound) }
        }
    }

    let id = Job.newID()
    let start: MonotonicTime
    /// Answered once the first frame is in the file.
    let job: Reply<Job>
    /// Wakes the task during a pause.
    let waker: TaskWaker
    private let asked: MonotonicTime
    private let forTime: Duration
    private let clock: any MonotonicClock
    private let state: Mutex<State>

    /// The times of the request count from `asked`.
    init(_ request: ClipRequest, from asked: MonotonicTime, by clock: any MonotonicClock) {
        (self.asked, self.clock, start) = (asked, clock, asked - request.beforeMs.duration)
        (job, waker, forTime) = (Reply(clock: clock), TaskWaker(clock: clock), request.forMs.duration)
        state = Mutex(State(began: start, length: request.beforeMs.duration + forTime))
    }

    var isOver: Bool { state.withLock(\.isOver) }
    var error: String? { state.withLock(\.error) }
    /// Time of the pauses before the last frame.
    var cut: Duration { state.withLock(\.cut) }

    /// Part of the time that is recorded, from 0 to 1.
    var progress: Double {
        let now = clock.now
        return state.withLock { max(0, min(1, $0.elapsed(at: now) / $0.length)) }
    }

    /// True for a time after the beginning of a pause that lasts.
    func isPaused(at moment: MonotonicTime) -> Bool {
        state.withLock { $0.isPaused && $0.pauses.last?.contains(moment) == true }
    }

    func apply(_ event: JobState.Event) {
        let now = clock.now
        state.withLock { state in
            switch event {
            case .pause: if !state.isPaused { state.pauses.append(now..<MonotonicTime.distantFuture) }
            case .resume:
                if state.isPaused, let began = state.pauses.popLast()?.lowerBound { state.pauses.append(began..<now) }
            case .cancel: state.isOver = true
            case .begin, .yield, .finish, .fail, .retry: break
            }
        }
        waker.wake()
    }

    /// Moves the end to `moment`, if it is earlier.
    func end(at moment: MonotonicTime) {
        state.withLock { $0.length = min($0.length, max(.zero, $0.elapsed(at: moment))) }
    }

    /// No effect on a recording that is over.
    func end(early error: String) {
        state.withLock { state in
            if !state.isOver { (state.isOver, state.error) = (true, "The recording ended early: \(error)") }
        }
    }

    /// Ends the recording if it has lasted its time and `grace`.
    func expire(after grace: Duration) {
        let now = clock.now
        state.withLock { if $0.elapsed(at: now) >= $0.length + grace { $0.isOver = true } }
    }

    /// Sets the exposure of the first frame; for a camera that was opened, the times of the request count from it.
    func begin(_ exposure: MonotonicTime) {
        state.withLock { ($0.began, $0.length) = (exposure, forTime + max(.zero, asked - exposure)) }
    }

    /// Time in the file, without the pauses and at least a millisecond after the frame before; nil for a frame to leave
    /// out.
    func time(of exposure: MonotonicTime) -> Duration? {
        state.withLock { state in
            guard !state.isOver, !state.pauses.contains(where: { $0.contains(exposure) }) else { return nil }
            let time = state.elapsed(at: exposure)
            state.isOver = time > state.length
            guard !state.isOver else { return nil }
            (state.last, state.cut) = (max(state.last + .milliseconds(1), time), exposure - state.began - time)
            return state.last
        }
    }
}

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

    /// Returns the job once the first frame is in the file; the recording continues without the caller.
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
    func progress(_ id: String) -> Double? { self[id]?.progress }
    /// Ends a recording with the frame exposed at `moment`, if that is earlier than its own end.
    func end(_ id: String, at moment: MonotonicTime) { self[id]?.end(at: moment) }
    private subscript(id: String) -> RecordingControl? { active.withLock { $0[id]?.control } }
}
