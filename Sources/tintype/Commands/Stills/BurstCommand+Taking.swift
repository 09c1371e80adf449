// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

extension BurstCommand {
    var progress: ProgressBar { ProgressBar(isShown: !isJSON && burst.count != 1) }

    /// The daemon closes connections that are idle for 30 s; and a camera that is wanted this soon stays open.
    private static var longestPause: Duration { .seconds(10) }

    /// Failures that the first picture would share with all others.
    private static var lasting: Set<ProblemCode> {
        [
            .invalidRequest, .unauthenticated, .accessDenied, .cameraNotFound, .cameraAmbiguous, .cameraDenied,
            .cameraRestricted, .configurationUnsupported, .gapNotAllowed, .tooLarge,
        ]
    }

    /// Takes the pictures, and prints the path of each once it is there.
    func take(into writer: inout PictureWriter?, _ burst: inout TakenBurst) async throws {
        defer { progress.clear() }
        guard case .count(let count, let every) = self.burst.burst, writer != nil || every > .zero else {
            return try await takeAtOnce(into: &writer, &burst)
        }
        let name = try await asking(camera) { connection, name in
            if every <= Self.longestPause {
                try await keepingOpen(name, count, every, by: connection) {
                    try await take(count, every, of: name, by: connection, &writer, &burst)
                }
            }
            return name
        }
        if every > Self.longestPause { try await take(count, every, of: name, by: client, &writer, &burst) }
    }

    /// Takes a number of pictures, each when it is due; consecutive frames end with the first that is missing.
    private func take(
        _ count: Int,
        _ every: Duration,
        of camera: String,
        by exchange: some ControlExchange,
        _ writer: inout PictureWriter?,
        _ burst: inout TakenBurst
    ) async throws {
        let start = ContinuousClock.now
        for index in 0..<count {
            show(burst)
            try await Task.sleep(until: start + every * index, clock: .continuous)
            do {
                let taken = try await next(every, of: camera, by: exchange, after: burst.stills.last?.record)
                try note(TakenStill(record: taken.record, file: try writer?.write(taken)), in: &burst)
            } catch let problem as Problem {
                let isForAll = every == .zero || Self.lasting.contains(problem.code)
                if isForAll, burst.stills.isEmpty { throw problem }
                if burst.missed == nil, every > .zero { tellMissed(index, problem) }
                burst.miss(problem)
                if every == .zero { return }
            }
        }
    }

    /// The next picture, another one than `last`; without `-o` it stays in the spool, and only its record is brought.
    private func next(
        _ every: Duration,
        of camera: String,
        by exchange: some ControlExchange,
        after last: StillRecord?
    ) async throws -> Still {
        let isFetched = output.output != nil
        var request = still.request(keep: output.keep ?? !isFetched)
        let take = { (request: StillRequest) in
            guard isFetched else { return Still(record: try await exchange.still(request, of: camera), picture: []) }
            return try await exchange.picture(of: camera, request)
        }
        guard let last else { return try await take(request) }
        let mayRepeat =
            switch request.fresh {
            case .latest, .maxAge: true
            case .request, .next, .at: false
            }
        // Each frame that comes: one that begins after the request would let every second one go by. And what is stored
        // twice is there twice.
        if every == .zero || mayRepeat && request.keep { request.fresh = .next }
        let taken = try await take(request)
        guard mayRepeat, taken.record.id == last.id else { return taken }
        request.fresh = .next
        return try await take(request)
    }

    /// Has the daemon take and store consecutive frames by one request, and notes each when the daemon tells it.
    private func takeAtOnce(into writer: inout PictureWriter?, _ burst: inout TakenBurst) async throws {
        var request = still.request(keep: true)
        request.burst = self.burst.burst
        burst.missed = try await asking(camera) { connection, name in
            show(burst)
            return try await connection.stills(request, of: name) { record in
                // A connection for each: that of the burst is busy, and one that waits for the next picture may be closed.
                let picture = writer == nil ? [] : try await client.image(of: record.id)
                let file = try writer?.write(Still(record: record, picture: picture))
                try note(TakenStill(record: record, file: file), in: &burst)
                show(burst)
            }
        }
    }

    /// Shows how many pictures are done, and of how many where that is known.
    private func show(_ burst: TakenBurst) {
        let done = burst.stills.count + (burst.missed?.count ?? 0)
        guard case .count(let count, _) = self.burst.burst else { return progress.show(nil, "\(done)") }
        progress.show(Double(done) / Double(count), "\(done)/\(count)")
    }

    /// Takes pictures while the camera stays open, by a hold where its warmth would close it between two of them.
    private func keepingOpen(
        _ camera: String,
        _ count: Int,
        _ every: Duration,
        by connection: ControlConnection,
        _ take: () async throws -> Void
    ) async throws {
        // A camera that cannot be asked, or held, says why when it is asked for the picture.
        let warmth = try? await (every > .zero && count > 1 ? connection.camera(camera).warmth : nil)
        guard let warmth, warmth.closes(within: every) else { return try await take() }
        let owner = "burst-\(getpid())"
        let whole = every * count + still.request(keep: false).deadline
        let most = Duration.milliseconds(HoldRequest.durationMsRange.upperBound)
        _ = try? await connection.hold(HoldRequest(owner: owner, duration: min(whole, most)), of: camera)
        // Not by a task that may be cancelled by now, nor by its connection, which is closed then.
        let release = { () async in
            await Task { [client] in _ = try? await client.release(ReleaseRequest(owner: owner), of: camera) }.value
        }
        do {
            try await take()
        } catch {
            await release()
            throw error
        }
        await release()
    }
}

extension Warmth {
    /// Whether a camera without other clients is closed before it is wanted again in so long.
    fileprivate func closes(within pause: Duration) -> Bool {
        switch self {
        case .hot: false
        case .cold: true
        case .linger(let time): time <= pause
        }
    }
}
