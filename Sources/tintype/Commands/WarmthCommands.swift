// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

struct StartCommand: DaemonCommand {
    static let configuration = CommandConfiguration(commandName: "start", abstract: "Open a camera and keep it open.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    func run() async throws {
        let status = try await withCamera(camera.name) { try await $0.start($1) }
        try write(status) { status in
            let format = status.format.map { " at \($0)" } ?? ""
            return "\(status.name): started\(format)\n"
        }
    }
}

struct StopCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Close a camera, even while it is held; the next request opens it again."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    func run() async throws {
        let status = try await withCamera(camera.name) { try await $0.stop($1) }
        try write(status) { "\($0.name): stopped\n" }
    }
}

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
    @OptionGroup var camera: CameraArgument

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For how long from now, 1ms to 24h, as in 90s, 10m or 2h.", valueName: "time"),
        transform: Self.duration
    )
    var duration: Duration

    func run() async throws {
        let request = HoldRequest(owner: owner.name, duration: duration)
        let (name, hold) = try await withCamera(camera.name) { ($1, try await $0.hold(request, of: $1)) }
        try write(hold) { "\(name): held by \($0.owner) until \($0.until)\n" }
    }

    private static func duration(_ text: String) throws -> Duration {
        let range = HoldRequest.durationMsRange
        guard let duration = HumanDuration.parse(text), range.contains(duration.millisecondCount) else {
            throw ValidationError("“\(text)” is not a time from 1ms to 24h, such as 90s, 10m or 2h.")
        }
        return duration
    }
}

struct ReleaseCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "End a hold; after the last hold the camera returns to its configured warmth."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var owner: OwnerOption
    @OptionGroup var camera: CameraArgument

    @Flag(help: "End the holds of all owners.")
    var all = false

    func validate() throws {
        if all, owner.owner != nil { throw ValidationError("Give one of --owner and --all.") }
    }

    func run() async throws {
        let request = ReleaseRequest(owner: all ? nil : owner.name)
        let (name, left) = try await withCamera(camera.name) { ($1, try await $0.release(request, of: $1)) }
        try write(left) { left in
            let others = left.holds.map { "still held by \($0.owner) until \($0.until)" }
            return "\(name): \((["released"] + others).joined(separator: ", "))\n"
        }
    }
}

struct OwnerOption: ParsableArguments {
    @Option(help: ArgumentHelp("The owner of the hold (default: your user name).", valueName: "name"))
    var owner: String?

    var name: String { owner ?? Self.user(ProcessInfo.processInfo.environment) }

    func validate() throws {
        guard let owner, !HoldRequest.isValid(owner: owner) else { return }
        throw ValidationError("--owner is a name of 1 to 64 characters, none of them a control character.")
    }

    /// User name from `LOGNAME`, else from `USER`, else `uid-N`.
    static func user(_ environment: [String: String]) -> String {
        [environment["LOGNAME"], environment["USER"]].lazy.compactMap(\.self)
            .first(where: HoldRequest.isValid(owner:)) ?? "uid-\(getuid())"
    }
}
