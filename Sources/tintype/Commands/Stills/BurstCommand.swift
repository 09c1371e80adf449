// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype burst [CAMERA]`.
struct BurstCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "burst",
        abstract: "Take several stills.",
        discussion: """
            Either a number of them (--count, --every), or all frames of a span (--from, --to, --nth), which may reach \
            into the past if the camera's ring is on. Without -o the daemon stores the pictures in its spool, and their \
            paths are printed. With -o they are written to files, or to stdout (-) one after the other; those of a span \
            are stored, too. Where some are missing, the others are there, and the exit status is that of the first \
            that is missing.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var burst: BurstOptions
    @OptionGroup var still: StillOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The camera; may be left out where there is only one.")
    var camera: String?

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
                throw ValidationError("--from and --to say which frames: leave out --fresh, --max-age and --at.")
            }
            if still.size != nil { throw ValidationError("--size cannot be combined with --from and --to.") }
            if still.average ?? 1 > 1 { throw ValidationError("--average cannot be combined with --from and --to.") }
            if output.keep == false {
                throw ValidationError("The pictures of a span go through the spool: leave out --no-keep.")
            }
        }
        guard let file = output.output, burst.count != 1, !PictureWriter.isStream(file) else { return }
        guard FilePattern(file).tellsApart(every: every) else {
            throw ValidationError("-o \(file) gives several pictures one name: put %i in it, as in door-%03i.jpg.")
        }
    }

    func answer() async throws {
        var burst = TakenBurst()
        do {
            if let file = output.output {
                // Before the camera is troubled for pictures that nobody would take.
                var writer = try PictureWriter(file)
                try await take(into: &writer, &burst)
                if writer.isStandardOutput { return try finish(burst, isWritten: true) }
            } else {
                burst = try await store()
            }
        } catch {
            // What there is by now is there, and is told.
            if !burst.stills.isEmpty { try report(burst) }
            throw error
        }
        try finish(burst, isWritten: false)
    }

    private func finish(_ burst: TakenBurst, isWritten: Bool) throws {
        if !isWritten { try report(burst) }
        let missing = burst.missed.map { ", \($0.count) missing" } ?? ""
        if !isJSON { try output.tell("\(burst.stills.count) pictures\(missing)\n") }
        if let problem = burst.problem { throw problem }
    }

    private func report(_ burst: TakenBurst) throws {
        guard !isJSON else { return try write(json: burst) }
        for still in burst.stills {
            try StandardStream.output.write(try still.path + "\n")
            if output.verbose {
                try StandardStream.error.write(StillReport.text(still.record, showsPath: still.file != nil))
            }
        }
    }
}
