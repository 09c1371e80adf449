// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

struct CamerasCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras",
        abstract: "List the cameras, and a configuration line for each; opens no camera."
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        try write(try await client.cameras()) { list in
            CameraReport.table(list.cameras, width: width) + CameraReport.configuration(list)
        }
    }
}

struct StatusCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the status of the daemon and its cameras; opens no camera.",
        discussion: """
            The first line says whether all works (ok), something does not (degraded), or no camera gives pictures or \
            no spool takes them (failing), with the reasons and what to do. The exit status is 0, \
            \(Health.Level.degraded.exitStatus) or \(Health.Level.failing.exitStatus) then. With CAMERA it is 0.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera; without it all cameras.", completion: Completion.cameras)
    var camera: String?

    func run() async throws {
        if let camera {
            return try write(try await client.camera(try CameraChoice.checked(camera)), StatusReport.text)
        }
        let (health, list) = try await client.withConnection { connection in
            (try await connection.health(), try await connection.cameras())
        }
        try write(Document(health: health, cameras: list.cameras)) { _ in
            let cameras: [PrintedText] = list.cameras.isEmpty ? ["No camera.\n"] : list.cameras.map(StatusReport.text)
            return PrintedText([StatusReport.text(health, socket: client.socket)] + cameras, separator: "\n")
        }
        if health.status != .ok { throw ExitCode(health.status.exitStatus) }
    }

    /// Output of `--json` without CAMERA.
    private struct Document: Encodable {
        let health: Health
        let cameras: [CameraStatus]
    }
}

struct FormatsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats",
        abstract: "List the pixel formats, sizes and rates that a camera offers."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    func run() async throws {
        let list = try await withCamera(camera.name) { try await $0.formats(of: $1) }
        try write(list) { FormatReport.table($0.formats, width: width) }
    }
}

struct ToleranceCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "tolerance",
        abstract: "Show the faults that all pictures of a camera have, or forget them.",
        discussion: """
            Stills with integrity “tolerant” accept these faults. “strict” stills accept surplusBytes and largerSize \
            only, which are put right without a doubt.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    @Flag(help: "Forget them; the daemon learns them again.")
    var reset = false

    func run() async throws {
        let status = try await withCamera(camera.name) { connection, name in
            reset ? try await connection.resetTolerance(of: name) : try await connection.camera(name)
        }
        try write(status) { status in
            let quirks = status.tolerance ?? []
            let words = quirks.isEmpty ? ["no tolerance"] : quirks.map(\.text)
            return PrintedText(words.map { word -> PrintedText in "\(status.name): \(word)\n" })
        }
    }
}

struct StartCommand: DaemonCommand {
    static let configuration = CommandConfiguration(commandName: "start", abstract: "Open a camera and keep it open.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    func run() async throws {
        let status = try await withCamera(camera.name) { try await $0.start($1) }
        try write(status) { "\($0.name): started\($0.format.map { " at \($0)" } ?? "")\n" }
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
        transform: { try OptionText.time($0, in: HoldRequest.durationMsRange) }
    )
    var duration: Duration

    func run() async throws {
        let request = HoldRequest(owner: owner.name, duration: duration)
        let (name, hold) = try await withCamera(camera.name) { ($1, try await $0.hold(request, of: $1)) }
        try write(hold) { "\(name): held by \($0.owner) until \($0.until)\n" }
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
    @Option("The owner of the hold (default: your user name).", "name")
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
