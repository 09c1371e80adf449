// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

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

    @Option(
        help: ArgumentHelp("The time before, as in 5s (default: the whole ring, if there is one).", valueName: "time"),
        transform: { try OptionText.duration($0, in: TriggerRequest.beforeMsRange) }
    )
    var before: Duration?

    @Option(
        help: ArgumentHelp("The time after, 1ms to 1h (default: 10s).", valueName: "time"),
        transform: { try OptionText.duration($0, in: TriggerRequest.afterMsRange) }
    )
    var after: Duration?

    @Option(
        help: ArgumentHelp("Only every nth frame, 1 to 1000.", valueName: "number"),
        transform: { try OptionText.integer($0, in: Burst.nthRange) }
    )
    var nth: Int?

    @OptionGroup var tags: TagOptions

    @Flag(help: "Also record a clip of that time, as “tintype record” does.")
    var clip = false

    func run() async throws {
        let (name, report) = try await withCamera(camera.name) { ($1, try await $0.trigger(request, of: $1)) }
        try write(report) { report in
            let tags = report.tags.isEmpty ? "" : ", tagged \(report.tags.joined(separator: ", "))"
            var clip = report.clip.map { ", and a clip by the job \($0)" } ?? ""
            if let error = report.clipError { clip = ", but no clip: \(error)" }
            return "\(name): stores the pictures from \(report.from) to \(report.until)\(tags)\(clip)\n"
        }
    }

    private var request: TriggerRequest {
        var request = TriggerRequest()
        request.beforeMs = before.map(Milliseconds.init)
        if let after { request.afterMs = Milliseconds(after) }
        if let nth { request.nth = nth }
        if !tags.words.isEmpty { request.tags = tags.words }
        request.clip = clip
        return request
    }
}
