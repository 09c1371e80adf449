// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc
internal import TintypeModel

struct BurstCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst",
        abstract: "Take several stills.",
        discussion: """
            Either a number of pictures (--count, --every), or all frames of a span (--from, --to, --nth), which \
            may reach into the past if the camera's ring is on. Without -o, the daemon stores the pictures in its \
            spool. With -o, they are written to files, or to stdout (-) one after the other; those of a span are \
            stored, too. Each path is printed once its picture is there. If pictures are missing, the others are \
            kept, and the exit status is that of the first missing one.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var burst: BurstOptions
    @OptionGroup var still: StillOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var camera: CameraArgument

    func validate() throws {
        if let count = burst.count {
            if still.at != nil, count > 1, every == .zero {
                throw ValidationError("--at names one moment: give --every too, or a span by --from and --to.")
            }
        } else {
            if still.fresh != nil || still.maxAge != nil || still.at != nil {
                throw ValidationError("--from and --to select the frames: leave out --fresh, --max-age and --at.")
            }
            if still.size != nil { throw ValidationError("--size cannot be combined with --from and --to.") }
            if still.average ?? 1 > 1 { throw ValidationError("--average cannot be combined with --from and --to.") }
            if output.keep == false {
                throw ValidationError("The pictures of a span go through the spool: leave out --no-keep.")
            }
        }
        guard let file = output.output, burst.count != 1, !PictureWriter.isStream(file) else { return }
        guard FilePattern(file).givesDistinctNames(every: every) else {
            throw ValidationError("-o \(file) gives several pictures one name: put %i in it, as in door-%03i.jpg.")
        }
    }

    func run() async throws { try await Interruption.cancelling { try await takeAll() } }

    private func takeAll() async throws {
        var burst = TakenBurst()
        let start = Timestamp.now()
        do {
            // Fails before the camera is used, if no file can be written.
            var writer = try output.output.map { file throws(OutputError) in try PictureWriter(file) }
            try await takePictures(into: &writer, &burst)
        } catch {
            // Pictures taken so far persist and are reported.
            if isJSON, !writesToStandardOutput, !burst.stills.isEmpty || burst.missed != nil { try write(json: burst) }
            guard Task.isCancelled else { throw error }
            reportInterruption(of: burst, since: start)
            throw ExitCode(Interruption.status)
        }
        if isJSON, !writesToStandardOutput { try write(json: burst) }
        if !isJSON {
            output.warn(of: burst.stills.map(\.record))
            let missing = burst.missed.map { _ in ", \(burst.missing(of: self.burst.count)) missing" } ?? ""
            output.writeDetails("\(CountText.text(burst.stills.count, "picture"))\(missing)\n")
        }
        if let problem = burst.problem(of: self.burst.count) { throw problem }
    }

    private var writesToStandardOutput: Bool { output.output.map(OutputTarget.init) == .standardOutput }

    private func append(_ still: TakenStill, to burst: inout TakenBurst) throws {
        burst.stills.append(still)
        guard !isJSON, !writesToStandardOutput else { return }
        progress.clear()
        try StandardStream.output.write(exactly: try still.path)
        guard output.verbose else { return }
        try? StandardStream.error.write(StillReport.text(still.record, showsPath: still.file != nil))
    }

    /// Reports the first missing picture at once, because the others may take hours.
    private func reportMissing(_ index: Int, _ problem: Problem) {
        guard let report = FailureReport(problem) else { return }
        progress.clear()
        try? StandardStream.error.write("tintype: Picture \(index + 1) is missing. \(report.text)\n")
    }

    private func reportInterruption(of burst: TakenBurst, since start: Timestamp) {
        var line: PrintedText = "tintype: Interrupted after \(CountText.text(burst.stills.count, "picture"))."
        if output.output == nil {
            // Includes a picture that was being stored at the interruption. Frames from the past predate the command.
            let age = max(
                // Maximum age of a picture taken as `latest` or `next`.
                [.latest, .next].contains(still.fresh) ? .seconds(60) : Duration.zero,
                still.maxAge ?? .zero,
                Duration.zero - (still.at ?? .zero),
                Duration.zero - (self.burst.from ?? .zero)
            )
            let filter = (camera.name.map { "camera:\($0), " } ?? "") + "source:request, from:\(start - age)"
            line += " To list all that are stored: tintype frames list --where '\(filter)'"
            if let socket = shared.socket { line += " --socket '\(socket.replacing("'", with: "'\\''"))'" }
        }
        try? StandardStream.error.write("\(line)\n")
    }

    // MARK: - Taking

    /// Result: the daemon's list and, with `-o`, the files.
    private struct TakenBurst: Encodable {
        var stills: [TakenStill] = []
        var missed: [MissedStill]?

        mutating func addMissing(_ problem: Problem) {
            missed = (missed ?? []) + [MissedStill(index: stills.count + (missed?.count ?? 0), problem)]
        }

        /// Number of missing pictures of a burst of `count`: one of consecutive frames lists only the first, and ends.
        func missing(of count: Int?) -> Int { max((count ?? 0) - stills.count, missed?.count ?? 0) }

        /// Problem of the first missing picture, for the whole burst of `count`; nil if none is missing.
        func problem(of count: Int?) -> Problem? {
            guard let first = missed?.first else { return nil }
            let lost = missing(of: count)
            let share = "\(lost) of \(CountText.text(stills.count + lost, "picture"))"
            let remedy =
                first.code == .deadlineExceeded
                ? "Allow more time for each (--deadline) or between two (--every), and see “tintype status”."
                : "See “tintype status” and the daemon's log for the cause."
            let detail = "\(share) \(lost == 1 ? "is" : "are") missing; of number \(first.index + 1): \(first.detail)"
            return Problem(first.code, detail, remedy: remedy)
        }
    }

    private var progress: ProgressBar { ProgressBar(isShown: !isJSON && burst.count != 1) }

    /// Zero for consecutive frames.
    private var every: Duration { burst.every ?? .zero }

    /// Longest interval with one connection and the camera kept open; the daemon closes connections idle for 30 s.
    private static let longestPause = Duration.seconds(10)

    /// Failures of the first picture that would affect all others.
    private static let lasting: Set<ProblemCode> = [
        .invalidRequest, .unauthenticated, .accessDenied, .cameraNotFound, .cameraAmbiguous, .cameraDenied,
        .cameraRestricted, .configurationUnsupported, .gapNotAllowed, .tooLarge,
    ]

    /// Takes the pictures and prints the path of each as soon as it is written or stored.
    private func takePictures(into writer: inout PictureWriter?, _ burst: inout TakenBurst) async throws {
        defer { progress.clear() }
        guard let count = self.burst.count, writer != nil || every > .zero else {
            return try await takeAtOnce(into: &writer, &burst)
        }
        let name = try await withCamera(camera.name) { connection, name in
            if every <= Self.longestPause {
                try await keepingOpen(name, count, by: connection) {
                    try await takePictures(count, of: name, by: connection, &writer, &burst)
                }
            }
            return name
        }
        if every > Self.longestPause { try await takePictures(count, of: name, by: client, &writer, &burst) }
    }

    /// Takes `count` pictures, each when it is due; consecutive frames end at the first missing one.
    private func takePictures(
        _ count: Int,
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
                let taken = try await nextPicture(of: camera, by: exchange, after: burst.stills.last?.record)
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
        let mayRepeat = still.fresh == .latest || still.maxAge != nil
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
        guard let count = self.burst.count else { return progress.update(nil, "\(done)") }
        progress.update(Double(done) / Double(count), "\(done)/\(count)")
    }

    /// Keeps the camera open while `work` runs, with a hold if its warmth would close it between two pictures.
    private func keepingOpen(
        _ camera: String,
        _ count: Int,
        by connection: ControlConnection,
        _ work: () async throws -> Void
    ) async throws {
        // Ignores errors: taking the picture reports them.
        let warmth = try? await (every > .zero && count > 1 ? connection.camera(camera).warmth : nil)
        let closesBetween =
            switch warmth {
            case .hot, nil: false
            case .cold: true
            case .linger(let time): time <= every
            }
        guard closesBetween else { return try await work() }
        let owner = "burst-\(getpid())"
        let whole = every * count + still.request(keep: false).deadline
        let most = Duration.milliseconds(HoldRequest.durationMsRange.upperBound)
        _ = try? await connection.hold(HoldRequest(owner: owner, duration: min(whole, most)), of: camera)
        var failure: (any Error)?
        do { try await work() } catch { failure = error }
        // In a new task on a new connection: this task may be cancelled, and then its connection is closed.
        await Task { [client] in _ = try? await client.release(ReleaseRequest(owner: owner), of: camera) }.value
        if let failure { throw failure }
    }
}

struct BurstOptions: ParsableArguments {
    @Option("How many pictures, 1 to 1000.", "number", in: Burst.countRange)
    var count: Int?

    @Option(
        "The time from one picture to the next, up to 1h (default: 0s, consecutive frames).",
        in: Burst.everyMsRange
    )
    var every: Duration?

    @Option("Instead of --count: all frames from this moment on, as in -2s.", in: Burst.spanMsRange)
    var from: Duration?

    @Option("The end of that span, as in 1s (default: now).", in: Burst.spanMsRange)
    var to: Duration?

    @Option("Only every nth frame of that span, 1 to 1000.", "number", in: Burst.nthRange)
    var nth: Int?

    func validate() throws {
        if from != nil || to != nil || nth != nil {
            if count != nil || every != nil {
                throw ValidationError("Give either --count and --every, or --from, --to and --nth.")
            }
            if from ?? .zero >= to ?? .zero {
                throw ValidationError("--to must be later than --from; each defaults to now.")
            }
        } else if count == nil {
            throw ValidationError("Give a number of pictures (--count 10 --every 2s) or a span (--from -2s --to 1s).")
        }
    }

    var burst: Burst {
        if let count { return .count(count, every: every ?? .zero) }
        return .span(from: from ?? .zero, to: to ?? .zero, nth: nth ?? 1)
    }
}
