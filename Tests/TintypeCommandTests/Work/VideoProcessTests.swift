// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

/// `tintype work` as a process that makes films and clips: with ffmpeg, or with a script in its place.
struct VideoProcessTests {
    private static let hasFFmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

    /// Runs the worker until the batch is over, with `script` in place of ffmpeg unless nil, and then `body`.
    private func work(
        _ daemon: VideoDaemon,
        _ script: String?,
        name: String = "ffmpeg",
        _ body: (BuiltCommand) async throws -> Void = { _ in }
    ) async throws {
        try await BuiltCommand.asking(daemon.answer) { command, _ in
            async let outcome = command.makeVideos(script, name: name)
            try await eventually("end of the batch") { daemon.report != nil }
            kill(try command.process(), SIGTERM)
            let result = try await outcome
            #expect(result.status == 0, "\(result.errors)")
            let batches = "\(command.folder)/cache/.tintype-batches"
            #expect(try FileManager.default.contentsOfDirectory(atPath: batches) == [])
            try await body(command)
        }
    }

    private func film(_ pictures: Int, _ change: (inout FilmStyle) -> Void = { _ in }) -> VideoOrder {
        var (order, style) = (VideoOrder(.film), FilmStyle())
        change(&style)
        (order.film, order.pictures) = (style, pictures)
        return order
    }

    // MARK: - With ffmpeg

    @Test(.enabled(if: hasFFmpeg))
    func `a film has each picture at its time, whatever its size, and the last one lasts`() async throws {
        let seconds = [0.0, 0.4, 0.41, 3600, 3606]
        let frames = seconds.enumerated().map { VideoDaemon.frame($1, $0 == 2 ? 640 : 321, $0 == 2 ? 360 : 241) }
        let (small, large) = (try await BuiltCommand.jpeg(321, 241), try await BuiltCommand.jpeg(640, 360))
        let order = film(5) { ($0.speed, $0.cutMs, $0.deflicker) = (10, Milliseconds(.seconds(30)), true) }
        let daemon = try VideoDaemon(order, frames: frames) { .http(200, [:], $0 == frames[2].id ? large : small) }
        try await work(daemon, nil) { command in
            let packets = try await command.probe(daemon.video, "packet=pts_time")
            #expect(packets == ["0.000000", "0.040000", "0.041000", "30.041000", "30.641000", "31.241000"])
            let stream = try await command.probe(daemon.video, "stream=codec_name,width,height,pix_fmt,duration")
            #expect(stream == ["h264,320,240,yuv420p,31.242000"])
            #expect(try await command.probe(daemon.video, "format=duration") == ["31.242000"])
        }
        let report = try #require(daemon.report)
        #expect(report.error == nil && !report.isFatal)
        let result = VideoResult(
            bytes: daemon.video.count,
            size: FrameSize(width: 320, height: 240),
            duration: .milliseconds(31_241),
            pictures: 5
        )
        #expect(report.video == result)
        #expect(report.progress == 1)
    }

    @Test(.enabled(if: hasFFmpeg))
    func `pictures that are gone or damaged are left out`() async throws {
        let frames = (0..<5).map { VideoDaemon.frame(Double($0)) }
        let jpeg = try await BuiltCommand.jpeg()
        let daemon = try VideoDaemon(film(5), frames: frames) { id in
            if id == frames[0].id { throw Problem(.frameNotFound, "It is gone.", remedy: "See the list.") }
            if id == frames[2].id { throw Problem(.corruptOnly, "It is damaged.", remedy: "See the log.") }
            return .http(200, [:], jpeg)
        }
        try await work(daemon, nil) { command in
            let packets = try await command.probe(daemon.video, "packet=pts_time")
            #expect(packets == ["0.000000", "0.040000", "0.080000", "0.120000"])
        }
        let video = try #require(daemon.report?.video)
        #expect(video.pictures == 3)
    }

    @Test(.enabled(if: hasFFmpeg), arguments: [true, false])
    func `a clip has the times of its recording, and as the original its pictures`(isOriginal: Bool) async throws {
        // With so many bytes behind its end that parts begin within a picture.
        let jpeg = try await BuiltCommand.jpeg(1281, 721) + [UInt8](repeating: 0, count: 100_000)
        let times = (0..<60).map { $0 * 100 / 3 + ($0 > 30 ? 500 : 0) }
        var recording = SMJPEG.header(FrameSize(width: 1281, height: 721))
        for time in times {
            recording += SMJPEG.frameHeader(at: .milliseconds(time), bytes: jpeg.count) + jpeg
        }
        try #require(recording.count > 8 << 20, "It is read in parts.")
        var order = VideoOrder(.clip)
        (order.bytes, order.original) = (recording.count, isOriginal ? true : nil)
        let daemon = try VideoDaemon(order, recording: recording)
        try await work(daemon, nil) { command in
            let packets = try await command.probe(daemon.video, "packet=pts_time")
            #expect(packets.compactMap { Double($0).map { Int(($0 * 1000).rounded()) } } == times)
            let stream = try await command.probe(daemon.video, "stream=codec_name,width,height")
            #expect(stream == [isOriginal ? "mjpeg,1281,721" : "h264,1280,720"])
        }
        let video = try #require(daemon.report?.video)
        #expect(video.pictures == 60)
        #expect(video.durationMs.duration == .milliseconds(2499))
        #expect(video.width == (isOriginal ? 1281 : 1280))
        #expect(video.bytes == daemon.video.count)
        let parts = (video.bytes + (1 << 20) - 1) >> 20
        #expect(daemon.parts.count == parts && daemon.parts.dropLast().allSatisfy { $0 == 1 << 20 })
    }

    // MARK: - With a script

    /// A film of three pictures of 100,000 bytes each.
    private func threePictures() throws -> VideoDaemon {
        try VideoDaemon(film(3), frames: (0..<3).map { VideoDaemon.frame(Double($0)) }) { _ in
            .http(200, [:], [UInt8](repeating: 7, count: 100_000))
        }
    }

    @Test func `without ffmpeg the job fails with its remedy, and nothing is fetched`() async throws {
        let daemon = try threePictures()
        try await work(daemon, "", name: "other")
        let report = try #require(daemon.report)
        let remedy = "Install it (sudo apt install ffmpeg), then “tintype jobs retry k3v9qa2m”."
        #expect(report.error == "ffmpeg is not installed. \(remedy)")
        #expect(report.isFatal && report.video == nil && daemon.parts.isEmpty)
    }

    @Test(arguments: [
        ("cat > /dev/null; echo '[libx264 @ 0x55aa] no room' >&2; exit 1", "ffmpeg: [libx264] no room."),
        ("echo 'Unknown encoder' >&2; echo '[smjpeg @ 0x1] unknown chunk 0' >&2; exit 1", "ffmpeg: Unknown encoder."),
        ("kill -6 $$", "ffmpeg: It ended with status 134."), ("exit 0", "ffmpeg: It ended early."),
    ])
    func `the last line of an ffmpeg that fails is the reason, and the job is tried again`(
        script: String,
        error: String
    ) async throws {
        let daemon = try threePictures()
        try await work(daemon, script)
        let report = try #require(daemon.report)
        #expect(report.error == error)
        #expect(!report.isFatal && report.video == nil && daemon.parts.isEmpty)
    }

    @Test func `an ffmpeg that is killed for its memory fails the job with a remedy`() async throws {
        let daemon = try threePictures()
        try await work(daemon, "kill -9 $$")
        let remedy = "Raise MemoryMax= (sudo systemctl edit tintype-worker), then “tintype jobs retry k3v9qa2m”."
        #expect(daemon.report?.error == "ffmpeg was killed: it needs more memory. \(remedy)")
        #expect(daemon.report?.isFatal == true)
    }

    @Test func `a part and the last report that the daemon refuses are repeated`() async throws {
        let daemon = try threePictures()
        daemon.refuse(["PUT", "POST"])
        try await work(daemon, "cat > \"${@: -1}\"")
        let reports = daemon.reports.filter(\.isOver)
        #expect(reports.count == 2 && reports[0] == reports[1])
        #expect(reports[1].video?.bytes == daemon.video.count && reports[1].error == nil)
    }

    @Test(arguments: [(4, false), (5, true)])
    func `fewer pictures than deflicker compares are not evened out`(pictures: Int, isEvened: Bool) async throws {
        let daemon = try VideoDaemon(film(pictures) { $0.deflicker = true }, frames: [VideoDaemon.frame(0)]) { _ in
            .http(200, [:], Sample.jpeg)
        }
        try await work(daemon, "printf '%s ' \"$@\" > arguments; cat > \"${@: -1}\"") { command in
            let arguments = try command.text("arguments")
            #expect(arguments.contains("deflicker") == isEvened, "\(arguments)")
        }
    }

    @Test func `a picture of more than 4K is scaled down`() async throws {
        let daemon = try VideoDaemon(film(1), frames: [VideoDaemon.frame(0, 8000, 6000)]) { _ in
            .http(200, [:], Sample.jpeg)
        }
        try await work(daemon, "printf '%s ' \"$@\" > arguments; cat > \"${@: -1}\"") { command in
            let arguments = try command.text("arguments")
            #expect(arguments.contains("scale=3324:2494:"), "\(arguments)")
        }
        #expect(daemon.report?.video?.width == 3324)
    }

    @Test func `messages of ffmpeg do not stop its input, and the file is sent in parts`() async throws {
        let daemon = try threePictures()
        let script = """
            printf '%s ' "$@" > arguments
            head -c 500000 /dev/zero | tr '\\0' x | fold -w 99 >&2
            cat > input; head -c 2500000 /dev/zero > "${@: -1}"
            """
        try await work(daemon, script) { command in
            var input = SMJPEG.header(FrameSize(width: 320, height: 240))
            for time in [0, 40, 80, 120] {
                input += SMJPEG.frameHeader(at: .milliseconds(time), bytes: 100_000)
                input += [UInt8](repeating: 7, count: 100_000)
            }
            let (piped, arguments) = (try command.bytes("input"), try command.text("arguments"))
            #expect(piped == input)
            let options = "-threads 1 -filter_threads 1 -reinit_filter 0 -f smjpeg -i pipe:0"
            #expect(arguments.hasPrefix("-v error \(options) -vf scale=320:240:"))
        }
        #expect(daemon.report?.error == nil)
        #expect(daemon.parts == [1 << 20, 1 << 20, 2_500_000 - 2 << 20])
        #expect(daemon.report?.video?.bytes == 2_500_000)
    }

    @Test func `a film without pictures fails`() async throws {
        let gone = Problem(.frameNotFound, "It is gone.", remedy: "See the list.")
        let remedy = "Run “tintype frames verify”, then “tintype jobs retry k3v9qa2m”."
        let unread = "None of 2 pictures could be read. \(remedy)"
        for (count, error) in [(0, "There are no pictures."), (2, unread)] {
            let frames = (0..<count).map { VideoDaemon.frame(Double($0)) }
            let daemon = try VideoDaemon(film(0), frames: frames) { _ in throw gone }
            try await work(daemon, "cat > /dev/null; sleep 600")
            #expect(daemon.report?.error == error)
            #expect(daemon.report?.isFatal == true)
        }
    }

    @Test func `a recording that is none fails`() async throws {
        let daemon = try VideoDaemon(VideoOrder(.clip), recording: Array("no recording".utf8))
        try await work(daemon, "cat > /dev/null")
        #expect(daemon.report?.error == "The recording of the clip is damaged.")
        #expect(daemon.report?.isFatal == true)
    }

    @Test func `an error of the daemon ends ffmpeg, and the job is tried again`() async throws {
        let frames = (0..<2).map { VideoDaemon.frame(Double($0)) }
        let away = Problem(.spoolUnavailable, "The disk does not answer.", remedy: "See the log.")
        let daemon = try VideoDaemon(film(2), frames: frames) { id in
            if id == frames[1].id { throw away }
            return .http(200, [:], Sample.jpeg)
        }
        try await work(daemon, "cat > /dev/null; sleep 600")
        #expect(daemon.report?.error == "The disk does not answer.")
        #expect(daemon.report?.isFatal == false)
    }

    @Test func `an order to stop ends ffmpeg, and leaves no file`() async throws {
        let (orders, feed) = AsyncStream.makeStream(of: String.self)
        let order = film(1)
        // The picture does not come.
        let daemon = try VideoDaemon(order, frames: [VideoDaemon.frame(0)], orders: orders)
        let script = """
            trap '' TERM; echo part > "${@: -1}"; echo $$ > child.new; mv child.new child
            cat > /dev/null; sleep 600
            """
        try await BuiltCommand.asking(daemon.answer) { command, _ in
            feed.yield(FakeDaemon.Reply.linesHead)
            feed.yield(try FakeDaemon.Reply.line(VideoDaemon.begin(order)))
            async let outcome = command.makeVideos(script)
            let child = try await eventually("start of ffmpeg") { try? command.process("child") }
            feed.yield(try FakeDaemon.Reply.line(WorkOrder(.stop, batch: "b1")))
            try await eventually("end of the batch") { daemon.report != nil }
            #expect(kill(child, 0) != 0, "The last report comes after the end of ffmpeg.")
            #expect(!FileManager.default.fileExists(atPath: "\(command.folder)/cache/.tintype-batches/b1"))
            kill(try command.process(), SIGTERM)
            let result = try await outcome
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(daemon.report?.error == nil && daemon.report?.video == nil)
    }

    @Test func `progress is reported while a film is made`() async throws {
        let frames = (0..<4).map { VideoDaemon.frame(Double($0)) }
        let daemon = try VideoDaemon(film(4), frames: frames) { _ in .http(200, [:], Sample.jpeg) }
        try await BuiltCommand.asking(daemon.answer) { command, _ in
            // The pipe holds all pictures.
            async let outcome = command.makeVideos("until [ -e go ]; do sleep 0.01; done; cat > \"${@: -1}\"")
            try await eventually("progress") { daemon.reports.last?.progress == 1 }
            #expect(daemon.report == nil)
            try Data().write(to: URL(filePath: "\(command.folder)/go"))
            try await eventually("end of the batch") { daemon.report != nil }
            kill(try command.process(), SIGTERM)
            let result = try await outcome
            #expect(result.status == 0, "\(result.errors)")
        }
        let last = SMJPEG.frameHeader(at: .milliseconds(160), bytes: Sample.jpeg.count) + Sample.jpeg
        #expect(Array(daemon.video.suffix(last.count)) == last)
    }
}
