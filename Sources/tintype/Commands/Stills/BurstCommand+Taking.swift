// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

extension BurstCommand {
    var progress: ProgressBar { ProgressBar(isShown: !isJSON && burst.count != 1) }

    /// Longest interval with one connection and the camera kept open; the daemon closes connections idle for 30 s.
    private static var longestPause: Duration { .seconds(10) }

    /// Failures of the first picture that would affect all others.
    private static var lasting: Set<ProblemCode> {
        [
            .invalidRequest, .unauthenticated, .accessDenied, .cameraNotFound, .cameraAmbiguous, .cameraDenied,
            .cameraRestricted, .configurationUnsupported, .gapNotAllowed, .tooLarge,
        ]
    }

    /// Takes the pictures and prints the path of each as soon as it is written or stored.
    func takePictures(into writer: inout PictureWriter?, _ burst: inout TakenBurst) async throws {
        defer { progress.clear() }
        guard case .count(let count, let every) = self.burst.burst, writer != nil || every > .zero else {
            return try await takeAtOnce(into: &writer, &burst)
        }
        let name = try await withCamera(camera.name) { connection, name in
            if every <= Self.longestPause {
                try await keepingOpen(name, count, every, by: connection) {
                    try await takePictures(count, every, of: name, by: connection, &writer, &burst)
                }
            }
            return name
        }
        if every > Self.longestPause { try await takePictures(count, every, of: name, by: client, &writer, &burst) }
    }

    /// Takes `count` pictures, each when it is due; consecutive frames end at the first missing one.
    private func takePictures(
        _ count: Int,
        _ every: Duration,
        of camera: String,
        by exchange: some ControlExchange,
        _ writer: inout PictureWriter?,
        _ burst: inout TakenBurst
    ) async throws {
        let start = ContinuousClock.now
        for index in 0..<count {
            showProgress(of: burst)
            try await Task.sleep(until: start + every * index, clock: .continuous)
            do {
                let taken = try await nextPicture(every, of: camera, by: exchange, after: burst.stills.last?.record)
                try append(TakenStill(record: taken.record, file: try writer?.write(taken)), to: &burst)
            } catch let problem as Problem {
                let isForAll = every == .zero || Self.lasting.contains(problem.code)
                if isForAll, burst.stills.isEmpty { throw problem }
                if burst.missed == nil, every > .zero { reportMissing(index, problem) }
                burst.addMissing(problem)
                if every == .zero { return }
            }
        }
    }

    /// Picture that differs from `last`; without `-o` it stays in the spool, and only its record is transferred.
    private func nextPicture(
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
        // Consecutive frames need `next`: `request` would skip every second one. With `keep`, a repeat would be stored
        // twice.
        if every == .zero || mayRepeat && request.keep { request.fresh = .next }
        let taken = try await take(request)
        guard mayRepeat, taken.record.id == last.id else { return taken }
        request.fresh = .next
        return try await take(request)
    }

    /// Has the daemon take and store the burst with one request, and notes each still as it is reported.
    private func takeAtOnce(into writer: inout PictureWriter?, _ burst: inout TakenBurst) async throws {
        var request = still.request(keep: true)
        request.burst = self.burst.burst
        burst.missed = try await withCamera(camera.name) { connection, name in
            showProgress(of: burst)
            return try await connection.stills(request, of: name) { record in
                // A new connection for each: that of the burst is busy, and an idle one may be closed.
                let picture = writer == nil ? [] : try await client.image(of: record.id)
                let file = try writer?.write(Still(record: record, picture: picture))
                try append(TakenStill(record: record, file: file), to: &burst)
                showProgress(of: burst)
            }
        }
    }

    private func showProgress(of burst: TakenBurst) {
        let done = burst.stills.count + (burst.missed?.count ?? 0)
        guard case .count(let count, _) = self.burst.burst else { return progress.update(nil, "\(done)") }
        progress.update(Double(done) / Double(count), "\(done)/\(count)")
    }

    /// Keeps the camera open while `work` runs, with a hold if its warmth would close it between two pictures.
    private func keepingOpen(
        _ camera: String,
        _ count: Int,
        _ every: Duration,
        by connection: ControlConnection,
        _ work: () async throws -> Void
    ) async throws {
        // Ignores errors: taking the picture reports them.
        let warmth = try? await (every > .zero && count > 1 ? connection.camera(camera).warmth : nil)
        guard let warmth, warmth.closes(within: every) else { return try await work() }
        let owner = "burst-\(getpid())"
        let whole = every * count + still.request(keep: false).deadline
        let most = Duration.milliseconds(HoldRequest.durationMsRange.upperBound)
        _ = try? await connection.hold(HoldRequest(owner: owner, duration: min(whole, most)), of: camera)
        // In a new task on a new connection: this task may be cancelled, and then its connection is closed.
        let release = { () async in
            await Task { [client] in _ = try? await client.release(ReleaseRequest(owner: owner), of: camera) }.value
        }
        do {
            try await work()
        } catch {
            await release()
            throw error
        }
        await release()
    }
}

extension Warmth {
    /// True if a camera without other clients closes during `pause`.
    fileprivate func closes(within pause: Duration) -> Bool {
        switch self {
        case .hot: false
        case .cold: true
        case .linger(let time): time <= pause
        }
    }
}
