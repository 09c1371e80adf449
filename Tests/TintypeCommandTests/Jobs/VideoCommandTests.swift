// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import NIOHTTP1
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

/// `tintype film` and `tintype record` as processes.
struct VideoCommandTests {
    private static let video = (0..<9).flatMap { [UInt8](repeating: $0, count: 1 << 20) }

    /// A daemon whose job has `states`, one at each look, the last one for ever.
    private final class Videos: Sendable {
        private let states: [JobState]
        /// One at each look, the last one for ever.
        private let errors: [String?]
        private let hasWorker: Bool
        private let looks = Mutex(0)

        init(_ states: [JobState], errors: [String?] = [nil], hasWorker: Bool = true) {
            (self.states, self.errors, self.hasWorker) = (states, errors, hasWorker)
        }

        var count: Int { looks.withLock(\.self) }

        private func job() -> Job {
            let (state, error) = looks.withLock { looks in
                defer { looks += 1 }
                return (states[min(looks, states.count - 1)], errors[min(looks, errors.count - 1)])
            }
            return Sample.job("k3v9qa2m") { job in
                (job.kind, job.camera, job.state) = (.film, "front", state)
                (job.frame, job.error) = (state == .done ? Sample.frame.id : nil, error)
            }
        }

        func answer(_ request: FakeDaemon.Request) throws -> FakeDaemon.Reply {
            switch "\(request.method) \(request.target)" {
            case "GET /v1/cameras": return .json(CameraList(cameras: [Sample.camera]))
            case "POST /v1/films", "POST /v1/cameras/front/clips": return .json(job(), status: 201)
            case "GET /v1/jobs/k3v9qa2m": return .json(job())
            case "GET /v1/jobs": return .json(JobList(jobs: [], worker: hasWorker))
            case "GET /v1/frames/\(Sample.frame.id)":
                var frame = Sample.frame
                (frame.still.kind, frame.still.path) = (.film, "/spool/front/a.mp4")
                return .json(frame)
            default: return .range(of: VideoCommandTests.video, request)
            }
        }
    }

    @Test func `film sends its options and prints the path`() async throws {
        let videos = Videos([.pending, .running, .done])
        try await BuiltCommand.asking(videos.answer) { command, daemon in
            let options = "--speed 600 --cut 1s --deflicker --tag day"
            let outcome = try await command.shell("$T film --where 'camera:front, since:1d' \(options)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "/spool/front/a.mp4\n")
            #expect(videos.count == 3)
            var request = FilmRequest(try FrameFilter(parsing: "camera:front, since:1d"))
            (request.style.speed, request.style.cutMs) = (600, Milliseconds(.seconds(1)))
            (request.style.deflicker, request.tags) = (true, ["day"])
            let body = try #require(daemon.log.requests.first?.body)
            #expect(try WireFormat.decode(FilmRequest.self, from: body) == request)
        }
    }

    @Test func `a clip is recorded as the options say, and its record is printed as JSON`() async throws {
        try await BuiltCommand.asking(Videos([.done]).answer) { command, daemon in
            let outcome = try await command.shell(
                "$T record --for 3s --before 5s --original --tag bell --json -o a.mkv"
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try outcome.read(FrameRecord.self).still.path == "/spool/front/a.mp4")
            #expect(try outcome.object["file"] as? String == "a.mkv")
            var request = ClipRequest()
            (request.forMs, request.beforeMs) = (Milliseconds(.seconds(3)), Milliseconds(.seconds(5)))
            (request.original, request.tags) = (true, ["bell"])
            let body = try #require(daemon.log.requests.first { $0.method == "POST" }?.body)
            #expect(try WireFormat.decode(ClipRequest.self, from: body) == request)
        }
    }

    @Test func `a copy goes in parts to a file, a folder, a pipe or stdout`() async throws {
        try await BuiltCommand.asking(Videos([.done]).answer) { command, daemon in
            let film = "$T film --where camera:front"
            let outcome = try await command.shell(
                """
                mkdir there; mkfifo pipe; cat pipe > piped &
                \(film) -o day.mp4; \(film) -o there/; \(film) -o pipe; \(film) -o - > streamed; wait
                """
            )
            #expect(outcome.text == "day.mp4\nthere/a.mp4\npipe\n", "\(outcome.errors)")
            for name in ["day.mp4", "there/a.mp4", "piped", "streamed"] {
                let copy = try command.bytes(name)
                #expect(copy == Self.video, "\(name)")
            }
            let ranges = daemon.log.requests.flatMap { $0.headers["Range"] }
            #expect(ranges.prefix(2) == ["bytes=0-8388607", "bytes=8388608-16777215"])
        }
    }

    @Test func `a copy that cannot be written is an error before anything is made`() async throws {
        try await BuiltCommand.asking(Videos([.done]).answer) { command, daemon in
            let outcome = try await command.shell("$T film --where camera:front -o /nowhere/a.mp4")
            #expect(outcome.status == 74)
            #expect(daemon.log.requests.isEmpty)
        }
    }

    @Test func `without waiting the id of the job is printed`() async throws {
        let videos = Videos([.pending])
        try await BuiltCommand.asking(videos.answer) { command, _ in
            let outcome = try await command.shell("$T record front --no-wait")
            #expect(outcome.text == "k3v9qa2m\n", "\(outcome.errors)")
            #expect(videos.count == 1)
        }
    }

    @Test func `a job that fails is an error with its reason`() async throws {
        let videos = Videos([.failed], errors: ["ffmpeg is not installed."])
        try await BuiltCommand.asking(videos.answer) { command, _ in
            let outcome = try await command.shell("$T film --where camera:front")
            #expect(outcome.status == 1)
            #expect(outcome.text.isEmpty)
            #expect(outcome.errors == "k3v9qa2m (film of front): failed; ffmpeg is not installed.\n")
        }
    }

    @Test func `each new error of a job is shown while it is tried again`() async throws {
        let errors = [nil, "The disk is full.", nil, "The disk is full.", "ffmpeg: no room.", nil]
        let videos = Videos([.pending, .pending, .running, .pending, .pending, .done], errors: errors)
        try await BuiltCommand.asking(videos.answer) { command, _ in
            let outcome = try await command.shell("$T film --where camera:front")
            #expect(outcome.status == 0)
            #expect(outcome.errors == "The disk is full.\nffmpeg: no room.\n")
        }
    }

    @Test func `a failure of the daemon leaves the job alone, and says so`() async throws {
        let videos = Videos([.running])
        let answer: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { request in
            guard request.method == "GET" else { return try videos.answer(request) }
            return .problem(Problem(.spoolUnavailable, "The disk does not answer.", remedy: "See the log."))
        }
        try await BuiltCommand.asking(answer) { command, _ in
            let outcome = try await command.shell("$T film --where camera:front")
            #expect(outcome.status != 0 && outcome.text.isEmpty)
            #expect(outcome.errors.hasPrefix("The job k3v9qa2m goes on; to end it: tintype jobs cancel k3v9qa2m\n"))
            #expect(outcome.errors.contains("The disk does not answer."))
        }
    }

    @Test(arguments: ["--fps 100", "--speed 0.5", "--fps x"])
    func `a number out of range is refused by one sentence`(option: String) async throws {
        try await BuiltCommand.asking(Videos([.done]).answer) { command, daemon in
            let outcome = try await command.shell("$T film --where camera:front \(option)")
            #expect(outcome.status == 64)
            let range = option.hasPrefix("--fps") ? "0.1 to 60." : "1 to 1000000."
            let value = option.split(separator: " ")[1]
            #expect(outcome.errors.contains("“\(value)” is not a number from \(range)"), "\(outcome.errors)")
            #expect(!outcome.errors.contains(".0.") && daemon.log.requests.isEmpty)
        }
    }

    @Test func `a job that stays pending without a worker says so once`() async throws {
        let videos = Videos([.pending, .pending, .pending, .pending, .pending, .done], hasWorker: false)
        try await BuiltCommand.asking(videos.answer) { command, _ in
            let outcome = try await command.shell("$T film --where camera:front")
            #expect(outcome.status == 0)
            #expect(outcome.errors == "No worker is connected: sudo systemctl enable --now tintype-worker\n")
        }
    }

    @Test func `Ctrl-C leaves the job alone, and says so`() async throws {
        let videos = Videos([.running])
        try await BuiltCommand.asking(videos.answer) { command, daemon in
            async let outcome = command.shell("echo $$ > pid; exec $T film --where camera:front")
            try await eventually("wait for the job") { videos.count > 1 }
            kill(try command.process(), SIGINT)
            let result = try await outcome
            #expect(result.status == 130)
            #expect(result.errors == "The job k3v9qa2m goes on; to end it: tintype jobs cancel k3v9qa2m\n")
            #expect(!daemon.log.requests.contains { $0.target.hasSuffix("/cancel") })
        }
    }

    @Test func `a trigger with a clip names its job`() async throws {
        var report = Sample.trigger
        report.clip = "b2"
        let reply = report
        let answer: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { _ in .json(reply) }
        try await BuiltCommand.asking(answer) { command, daemon in
            let outcome = try await command.shell("$T trigger front --clip")
            #expect(outcome.text.hasSuffix(", and a clip by the job b2\n"), "\(outcome.errors)")
            let body = try #require(daemon.log.requests.first?.body)
            #expect(try WireFormat.decode(TriggerRequest.self, from: body).clip)
        }
    }

    @Test func `an export of films has their endings, also for a client without the folders of spools`() throws {
        var frame = Sample.frame
        var names = ExportNames(folders: [])
        #expect(names.name(of: frame) == "front/\(frame.id).jpg")
        frame.still.kind = .clip
        #expect(names.name(of: frame) == "front/\(frame.id).mp4")
        frame.still.path = "/spool/front/a.mkv"
        #expect(names.name(of: frame) == "front/\(frame.id).mkv")
    }

    @Test func `a list and a record say what a film is`() {
        var frame = Sample.frame
        (frame.still.kind, frame.still.pictures) = (.film, 1440)
        (frame.still.durationMs, frame.still.until) = (Milliseconds(.milliseconds(57_600)), frame.storedAt)
        #expect(FrameReport.table([frame]).text(width: nil).string.contains(" film "))
        let text = FrameReport.text(frame).string
        #expect(text.contains("1280x720, 4 bytes, 1440 pictures\n"), "\(text)")
        #expect(text.contains("57.6 s\n"), "\(text)")
        #expect(text.contains("\(frame.storedAt)\n"))
        #expect(!text.contains("frame 7"))
    }
}
