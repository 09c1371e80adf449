// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc
internal import TintypeModel

struct UploadCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Upload stored pictures once, as a job.",
        discussion: """
            Prints the id of the job, which lasts over restarts; see “tintype jobs”. For pictures that are yet to be \
            taken, add a rule to the configuration: uploads in tintyped.yaml(5).
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var option: FilterOption

    @Option(
        help: ArgumentHelp(
            "The target, such as s3:bucket/site/{camera}/{path} or https://example.org/{id}.jpg.",
            valueName: "target"
        ),
        transform: Self.target
    )
    var to: String

    @Option(help: "The order: newest or oldest first (default: oldest).")
    var order = FrameOrder.oldest

    @Option(
        help: ArgumentHelp("The greatest number of bytes per second, such as 500k or 2M.", valueName: "bytes"),
        transform: Self.limit
    )
    var limit: Int?

    @Flag(help: "Also upload the record of each picture, as .json (not by HTTP).")
    var record = false

    @Option("The spool of the pictures; needed if there are several.", "name")
    var spool: String?

    @Option("Jobs of a higher priority go first, -100 to 100 (default: 0).", "number", in: Job.priorityRange)
    var priority: Int?

    @Flag(help: "Wait until the job is done, as “tintype jobs wait”.")
    var wait = false

    func validate() throws {
        try ensure(option.filter != nil, "Select the pictures by --where FILTER; --where 'all()' means all of them.")
    }

    func run() async throws {
        guard let filter = option.filter else { return }
        var options = UploadOptions(to: to)
        (options.order, options.limit, options.record) = (order, limit, record ? true : nil)
        var request = JobRequest(filter, options)
        (request.spool, request.priority) = (spool, priority ?? 0)
        let job = try await client.addJob(request)
        if wait { return try await wait(for: job) }
        try write(job) { "\($0.id)\n" }
    }

    private static func target(_ text: String) throws -> String {
        do throws(UploadTarget.Fault) {
            return try UploadTarget(text).description
        } catch {
            throw ValidationError("“\(text)” \(error.detail) \(error.remedy)")
        }
    }

    private static func limit(_ text: String) throws -> Int {
        guard let bytes = HumanBytes.parse(text), UploadOptions.limitRange.contains(bytes) else {
            throw ValidationError("“\(text)” is not a number of bytes from 1k to 1T, such as 500k or 2M.")
        }
        return bytes
    }
}

/// Command that makes a film or clip: adds its job, waits for the end, and prints the path of the file.
protocol VideoCommand: DaemonCommand, Sendable {
    var output: VideoOutput { get }
    func begin() async throws -> Job
}

extension VideoCommand {
    func run() async throws { try await Interruption.cancelling { try await make() } }

    private func make() async throws {
        try output.check()
        let job = try await begin()
        guard !output.noWait else { return try write(job) { "\($0.id)\n" } }
        var rest = "goes on; to end it: tintype jobs cancel \(job.id)"
        do {
            let ended = try await ended(job)
            guard ended.state == .done, let id = ended.frame else {
                if isJSON { try write(json: ended) } else { try StandardStream.error.write(JobReport.line(ended)) }
                throw ExitCode.failure
            }
            rest = "is done: tintype frames show \(id)"
            let frame = try await client.frame(id)
            let file = try await output.copy(frame, client)
            guard !output.isStandardOutput else { return }
            guard !isJSON else { return try write(json: RecordWithFile(record: frame, file: file)) }
            try StandardStream.output.write(exactly: file ?? frame.still.path ?? "\(id)")
        } catch  where !(error is ExitCode) {
            try? StandardStream.error.write("The job \(job.id) \(rest)\n")
            throw Task.isCancelled ? ExitCode(Interruption.status) : error
        }
    }
}

struct VideoOutput: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Also copy it to this file, into this folder, or to stdout (-).", valueName: "path"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Print the id of the job at once, as “tintype jobs” shows it.")
    var noWait = false

    func validate() throws {
        if output == "" { throw ValidationError("--output needs the name of a file or folder, or - for stdout.") }
        try ensure(output == nil || !noWait, "Give either -o or --no-wait.")
    }

    var isStandardOutput: Bool { output.map(OutputTarget.init) == .standardOutput }
    private var isFolder: Bool { output.map { $0.hasSuffix("/") || SystemCalls.isFolder($0) } ?? false }

    /// Throws if no copy can be written, before the film is made.
    func check() throws(OutputError) {
        guard let output else { return }
        guard isFolder else { return try OutputTarget(output).check() }
        try OutputError.naming("make a file in", output, try SystemCalls.checkWritable(output))
    }

    /// Copies the file, and returns the path of the copy; nil without one.
    func copy(_ frame: FrameRecord, _ client: ControlClient) async throws -> String? {
        guard let output else { return nil }
        let name = frame.still.path?.split(separator: "/").last.map { String($0) }
        let folder = output.hasSuffix("/") ? output : "\(output)/"
        let path = isFolder ? folder + (name ?? "\(frame.id).\(frame.still.ending)") : output
        let copy = try OutputTarget(path).open()
        try await client.file(of: frame.id) { try copy.write($0) }
        try copy.finish()
        return path
    }
}

struct FilmCommand: VideoCommand {
    static let configuration = CommandConfiguration(
        commandName: "film",
        abstract: "Make a film of stored pictures of a camera.",
        discussion: """
            Prints the path of the film (MP4), which is stored with the pictures. A job makes it, with ffmpeg and \
            tintype-worker.service, also after Ctrl-C. For a film of each day: film in tintyped.yaml(5).
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var option: FilterOption

    @Option("Pictures per second, 0.1 to 60 (default: 25).", "number", in: FilmStyle.rateRange)
    var fps: Double?

    @Option("In place of --fps: how many times faster than the scene.", "number", in: FilmStyle.speedRange)
    var speed: Double?

    @Option("With --speed: the longest gap in the film, as in 1s (default: any).", in: FilmStyle.cutMsRange)
    var cut: Duration?

    @Flag(help: "Even out the brightness of neighbouring pictures.")
    var deflicker = false

    @OptionGroup var tags: TagOptions
    @OptionGroup var output: VideoOutput

    func validate() throws {
        guard option.filter?.camera != nil else {
            throw ValidationError("Select pictures of one camera, as in --where 'camera:garden, since:1d'.")
        }
        try ensure(fps == nil || speed == nil, "Give either --fps or --speed.")
        try ensure(cut == nil || speed != nil, "--cut needs --speed beside it.")
    }

    func begin() async throws -> Job {
        var request = FilmRequest(option.filter ?? .everything)
        (request.style.fps, request.style.speed) = (fps, speed)
        request.style.cutMs = cut.map(Milliseconds.init)
        request.style.deflicker = deflicker ? true : nil
        request.tags = tags.words
        return try await client.addFilm(request)
    }
}

struct RecordCommand: VideoCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a clip of a camera, with the seconds before if it has a ring.",
        discussion: """
            Prints the path of the clip (MP4), which is stored with the pictures. A job makes it, with ffmpeg and \
            tintype-worker.service, also after Ctrl-C. For a clip of each motion: record in tintyped.yaml(5).
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    @Option("The time from now, 100ms to 1h (default: 10s).", name: .customLong("for"), in: ClipRequest.forMsRange)
    var duration: Duration?

    @Option("The time before, at most the camera's ring (default: none).", in: ClipRequest.beforeMsRange)
    var before: Duration?

    @Flag(help: "Keep the pictures as the camera compressed them, in Matroska (.mkv), which is large.")
    var original = false

    @OptionGroup var tags: TagOptions
    @OptionGroup var output: VideoOutput

    func begin() async throws -> Job {
        var request = ClipRequest()
        if let duration { request.forMs = Milliseconds(duration) }
        if let before { request.beforeMs = Milliseconds(before) }
        (request.original, request.tags) = (original, tags.words)
        return try await withCamera(camera.name) { [request] in try await $0.record(request, of: $1) }
    }
}
