// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
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
        var every = Duration.zero
        switch burst.burst {
        case .count(let count, let time):
            every = time
            if still.at != nil, count > 1, every == .zero {
                throw ValidationError("--at names one moment: give --every too, or a span by --from and --to.")
            }
        case .span:
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

    func answer() async throws { try await Interruption.cancelling { try await takeAll() } }

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
            let missing = burst.missed.map { ", \($0.count) missing" } ?? ""
            output.writeDetails("\(burst.stills.count) pictures\(missing)\n")
        }
        if let problem = burst.problem { throw problem }
    }

    private var writesToStandardOutput: Bool { output.output.map(OutputTarget.init) == .standardOutput }

    /// Records a completed picture and prints its path.
    func append(_ still: TakenStill, to burst: inout TakenBurst) throws {
        burst.stills.append(still)
        guard !isJSON, !writesToStandardOutput else { return }
        progress.clear()
        try StandardStream.output.write(exactly: try still.path)
        guard output.verbose else { return }
        try? StandardStream.error.write(StillReport.text(still.record, showsPath: still.file != nil))
    }

    /// Reports the first missing picture at once, because the others may take hours.
    func reportMissing(_ index: Int, _ problem: Problem) {
        guard let report = FailureReport(problem) else { return }
        progress.clear()
        try? StandardStream.error.write("tintype: Picture \(index + 1) is missing. \(report.text)\n")
    }

    /// Maximum age of a picture taken as `latest` or `next`.
    private static let oldest = Duration.seconds(60)

    private func reportInterruption(of burst: TakenBurst, since start: Timestamp) {
        var line: PrintedText = "tintype: Interrupted after \(burst.stills.count) pictures."
        if output.output == nil {
            // Includes a picture that was being stored at the interruption. Frames from the past predate the command.
            let age = max(
                [.latest, .next].contains(still.fresh) ? Self.oldest : Duration.zero,
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
}
