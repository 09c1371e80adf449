// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype hold [CAMERA] --for TIME`.
struct HoldCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Keep a camera streaming for a while.",
        discussion: """
            A closed camera is opened now. It stays open, also through interruptions, until the time is over or \
            “tintype release” ends the hold; then it returns to its configured warmth. Several owners can hold a \
            camera at once; a second hold by the same owner extends the first.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var owner: OwnerOption

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For how long from now, 1ms to 24h, as in 90s, 10m or 2h.", valueName: "time"),
        transform: Self.duration
    )
    var duration: Duration

    func answer() async throws {
        let request = HoldRequest(owner: owner.name, duration: duration)
        let (name, hold) = try await asking(camera) { ($1, try await $0.hold(request, of: $1)) }
        guard !isJSON else { return try write(json: hold) }
        try StandardStream.output.write("\(name): held by \(hold.owner) until \(hold.until)\n")
    }

    private static func duration(_ text: String) throws -> Duration {
        let range = HoldRequest.durationMsRange
        guard let duration = HumanDuration.parse(text), range.contains(duration.millisecondCount) else {
            throw ValidationError("“\(text)” is not a time from 1ms to 24h, such as 90s, 10m or 2h.")
        }
        return duration
    }
}
