// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

extension BurstCommand {
    private var progress: ProgressBar { ProgressBar(isShown: !isJSON && burst.count != 1) }

    /// Connections that nobody uses are closed by the daemon after 30 s.
    private static var longestPause: Duration { .seconds(10) }

    /// Has the daemon take and store the pictures.
    func store() async throws -> TakenBurst {
        var request = still.request(keep: true)
        request.burst = burst.burst
        return try await asking(camera) { connection, name in
            // Where the camera cannot be asked, asking it for the pictures says why.
            let status = try? await (progress.isShown ? connection.camera(name) : nil)
            let expectation = BurstExpectation(request, interval: status?.format?.interval?.duration)
            let start = ContinuousClock.now
            let state = { @Sendable in expectation.state(after: ContinuousClock.now - start) }
            return try await progress.during(state) { TakenBurst(try await connection.stills(request, of: name)) }
        }
    }

    /// Takes the pictures, and writes each before the next.
    func take(into writer: inout PictureWriter, _ burst: inout TakenBurst) async throws {
        defer { progress.clear() }
        guard case .count(let count, let every) = self.burst.burst else {
            return try await takeSpan(into: &writer, &burst)
        }
        let name = try await asking(camera) { connection, name in
            if every <= Self.longestPause { try await take(count, every, of: name, by: connection, &writer, &burst) }
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
        _ writer: inout PictureWriter,
        _ burst: inout TakenBurst
    ) async throws {
        let start = ContinuousClock.now
        for index in 0..<count {
            progress.show(Double(index) / Double(count), "\(index)/\(count)")
            try await Task.sleep(until: start + every * index, clock: .continuous)
            do {
                let taken = try await next(every, of: camera, by: exchange, after: burst.stills.last?.record)
                burst.stills.append(TakenStill(record: taken.record, file: try writer.write(taken)))
            } catch let problem as Problem {
                guard !burst.stills.isEmpty else { throw problem }
                burst.miss(problem)
                if every == .zero { return }
            }
        }
    }

    /// The next picture: another one than `last`.
    private func next(
        _ every: Duration,
        of camera: String,
        by exchange: some ControlExchange,
        after last: StillRecord?
    ) async throws -> Still {
        var request = still.request(keep: output.keep ?? false)
        guard let last else { return try await exchange.picture(of: camera, request) }
        let mayRepeat =
            switch request.fresh {
            case .latest, .maxAge: true
            case .request, .next, .at: false
            }
        // Each frame that comes: one that begins after the request would let every second one go by. And what is stored
        // twice is there twice.
        if every == .zero || mayRepeat && request.keep { request.fresh = .next }
        let taken = try await exchange.picture(of: camera, request)
        guard mayRepeat, taken.record.id == last.id else { return taken }
        request.fresh = .next
        return try await exchange.picture(of: camera, request)
    }

    /// Has the daemon take and store the frames of a span, and writes them to files from there.
    private func takeSpan(into writer: inout PictureWriter, _ burst: inout TakenBurst) async throws {
        let stored = try await store()
        burst.missed = stored.missed
        try await client.withConnection { connection in
            for (index, still) in stored.stills.enumerated() {
                progress.show(Double(index) / Double(stored.stills.count), "\(index)/\(stored.stills.count)")
                let picture = try await connection.image(of: still.record.id)
                let file = try writer.write(Still(record: still.record, picture: picture))
                burst.stills.append(TakenStill(record: still.record, file: file))
            }
        }
    }
}
