// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct StillCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "still",
        abstract: "Take a still.",
        discussion: """
            Without -o, the daemon stores the picture in its spool, and the command prints its path once the \
            picture is as durable as requested. With -o, the picture is written to FILE, whole or not at all, or \
            to stdout (-); the daemon stores it only with --keep. With --once, no daemon has to run.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var once: OnceOptions
    @OptionGroup var still: StillOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var camera: CameraArgument

    func validate() throws {
        guard once.isOnce else { return }
        if output.output == nil { throw ValidationError("With --once the picture goes to a file: give -o FILE too.") }
        if output.keep == true {
            throw ValidationError("With --once nothing can be kept in a spool: leave out --keep.")
        }
        if shared.socket != nil { throw ValidationError("--once uses no socket: leave out --socket.") }
        if camera.name != nil, !once.arguments.isEmpty {
            throw ValidationError("Give one of CAMERA, --device and --pattern.")
        }
    }

    func run() async throws {
        do {
            try await take()
        } catch let error as ClientError where !once.isOnce {
            throw error.suggestingOnce
        }
    }

    private func take() async throws {
        guard let file = output.output else { return try await store() }
        // Fails before the camera is opened, if the file cannot be written.
        var writer = try PictureWriter(file)
        let taken = try await takePicture(still.request(keep: output.keep ?? false))
        let path = try writer.write(taken)
        if !isJSON { output.warn(of: [taken.record]) }
        if !writer.isStandardOutput, isJSON { return try write(json: TakenStill(record: taken.record, file: path)) }
        if writer.namesFiles { try StandardStream.output.write(exactly: path) }
        output.writeDetails(StillReport.text(taken.record, showsPath: true))
    }

    private func takePicture(_ request: StillRequest) async throws -> Still {
        guard once.isOnce else { return try await withCamera(camera.name) { try await $0.picture(of: $1, request) } }
        return try await PrivateDaemon.withConnection(once.arguments) { connection in
            try await connection.picture(of: try await CameraChoice.name(camera.name, at: connection), request)
        }
    }

    private func store() async throws {
        let list = try await withCamera(camera.name) { try await $0.stills(still.request(keep: true), of: $1) }
        guard !isJSON else { return try write(json: list) }
        defer { output.warn(of: list.stills) }
        for record in list.stills {
            try StandardStream.output.write(exactly: try TakenStill(record: record).path)
            output.writeDetails(StillReport.text(record))
        }
    }
}

struct RecordWithFile<Record: Encodable>: Encodable {
    private enum CodingKeys: String, CodingKey { case file }

    var record: Record
    /// Path of the file, or its name in an export; nil if none was written.
    var file: String?

    func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(file, forKey: .file)
    }
}

typealias TakenStill = RecordWithFile<StillRecord>

extension TakenStill {
    /// Path of the written file, else of the picture in the spool; throws if the daemon reports none.
    var path: String {
        get throws(ClientError) {
            if let path = file ?? record.path { return path }
            throw .unexpected("The reply does not say where the still \(record.id) is stored.")
        }
    }
}

struct ScanCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Take a still and print its QR and bar codes.",
        discussion: """
            A code a line: its kind, such as QR-Code or EAN-13, a space, and its text. The still is not stored. Exit \
            status 1: it has no code.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    @Option("How long the scan may take in all, 1ms to 10m (default: 5s).", in: StillRequest.deadlineMsRange)
    var deadline: Duration?

    func run() async throws {
        let request = deadline.map { ScanRequest(deadline: $0) } ?? ScanRequest()
        let report = try await withCamera(camera.name) { try await $0.scan(request, of: $1) }
        try write(report) { PrintedText($0.codes.map { "\($0.kind) \($0.text)\n" }) }
        if report.codes.isEmpty { throw ExitCode.failure }
    }
}

struct TriggerCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger",
        abstract: "Store the pictures before and after this moment.",
        discussion: """
            For events that the camera does not see, such as a doorbell or a GPIO line. The command returns once the \
            camera, which is opened if it is closed, gives pictures; the daemon stores them without it, and those \
            before it from the camera's ring. A trigger during another one extends it.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    @Option("The time before, as in 5s (default: the whole ring, if there is one).", in: TriggerRequest.beforeMsRange)
    var before: Duration?

    @Option("The time after, 1ms to 1h (default: 10s).", in: TriggerRequest.afterMsRange)
    var after: Duration?

    @Option("Only every nth frame, 1 to 1000.", "number", in: Burst.nthRange)
    var nth: Int?

    @OptionGroup var tags: TagOptions

    @Flag(help: "Also record a clip of that time, as “tintype record” does.")
    var clip = false

    func run() async throws {
        var request = TriggerRequest()
        request.beforeMs = before.map(Milliseconds.init)
        if let after { request.afterMs = Milliseconds(after) }
        if let nth { request.nth = nth }
        if !tags.words.isEmpty { request.tags = tags.words }
        request.clip = clip
        let (name, report) = try await withCamera(camera.name) { [request] in
            ($1, try await $0.trigger(request, of: $1))
        }
        try write(report) { report in
            let tags = report.tags.isEmpty ? "" : ", tagged \(report.tags.joined(separator: ", "))"
            var clip = report.clip.map { ", and a clip by the job \($0)" } ?? ""
            if let error = report.clipError { clip = ", but no clip: \(error)" }
            return "\(name): stores the pictures from \(report.from) to \(report.until)\(tags)\(clip)\n"
        }
    }
}

enum StillReport {
    /// `showsPath` adds the path in the spool.
    static func text(_ record: StillRecord, showsPath: Bool = false) -> PrintedText {
        var text: PrintedText = "\(record.camera): \(record.width)x\(record.height), \(record.bytes) bytes, "
        let ages = [record.ageMs.map { "\($0.spoken) old" }, record.waitedMs.map { "waited \($0.spoken)" }]
        text += "frame \(record.sequence), \(ages.compactMap(\.self).joined(separator: ", ")), "
        text += "stored: \(showsPath ? record.path ?? record.stored.rawValue : record.stored.rawValue)\n"
        text += remarks(record)
        if let phases = record.phasesMs {
            let parts = [
                ("open", phases.open), ("settle", phases.settle), ("wait", phases.wait), ("encode", phases.encode),
                ("store", phases.store),
            ].filter { $0.0 != "settle" || $0.1.duration > .zero }
            let spoken = parts.map { "\($0.0) \($0.1.spoken)" }
            text += "\(spoken.joined(separator: ", "))\n"
        }
        if let skipped = record.skipped?.filter({ $0.value > 0 }), !skipped.isEmpty {
            let reasons = skipped.map { "\($0.value) \($0.key.rawValue)" }.sorted()
            text += "skipped: \(reasons.joined(separator: ", "))\n"
        }
        return text
    }

    /// Warnings to read before trusting the picture; empty if none.
    private static func remarks(_ record: StillRecord) -> PrintedText {
        var remarks: [String] = []
        if record.verdict != .intact, let verdict = record.verdictText { remarks.append("verdict: \(verdict)") }
        if record.settled == false { remarks.append("exposure and white balance had not settled") }
        if let average = record.average { remarks.append("average of \(average) frames") }
        if let gap = record.gapMs { remarks.append("the stream was interrupted for \(gap.spoken)") }
        return remarks.isEmpty ? "" : "\(remarks.joined(separator: "; "))\n"
    }

    /// Two lines for stderr if pictures may show nothing, else nil.
    static func warning(_ records: [StillRecord]) -> PrintedText? {
        let looks: [(look: ImageDefect, one: String, many: String)] = [
            (.black, "looks black", "look black"), (.uniform, "shows one uniform tone", "show one uniform tone"),
            (.frozen, "equals the one before", "equal the one before"),
        ]
        let counted = looks.map { look in
            (look.look, look.one, look.many, count: records.count { $0.appearance?.contains(look.look) == true })
        }
        let seen = counted.filter { $0.count > 0 }
        guard let camera = records.first?.camera, !seen.isEmpty else { return nil }
        let isOne = records.count == 1
        let words = seen.map { _, one, many, count in isOne ? one : "\(count) \(count > 1 ? many : one)" }
        let sentence =
            isOne
            ? "The picture from \(camera) \(words.joined(separator: " and "))."
            : "Of \(records.count) pictures from \(camera), \(words.joined(separator: ", "))."
        // The doctor does not check for a uniform tone.
        let doctor = seen.contains { $0.0 != .uniform } ? ", and see “tintype doctor \(camera)”" : ""
        let rejected = seen.map(\.0.rawValue).joined(separator: ",")
        return """
            tintype: \(sentence)
            Check the lens and the light\(doctor). --reject \(rejected) refuses such pictures.

            """
    }
}
